#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "kitumaija/actions.hpp"
#include "kitumaija/bot.hpp"
#include "kitumaija/view.hpp"

namespace kitumaija {

namespace {

template <typename Value>
std::string listed(const std::vector<Value>& values) {
  std::string text;
  for (const auto& value : values) {
    text += (text.empty() ? "" : " ") + to_string(value);
  }
  return "[" + text + "]";
}

struct ActionText {
  std::string operator()(const Play& play) const { return to_string(play.card); }
  std::string operator()(const TurnCard& /*turn*/) const { return "turn"; }
  std::string operator()(const Take& take) const { return "take " + std::to_string(take.cards); }
  std::string operator()(const PassLead& /*pass*/) const { return "pass"; }
};

}  // namespace

std::string to_string(const Action& action) { return std::visit(ActionText{}, action); }

std::string_view to_string(Phase phase) {
  switch (phase) {
    case Phase::catch_card:
      return "catch";
    case Phase::free_card:
      return "free";
    case Phase::pick_up:
      return "pick-up";
    case Phase::lead:
      return "lead";
    case Phase::unknown:
      break;
  }
  return "unknown";
}

std::string to_string(const Turn& turn) {
  std::string text = "match " + turn.match->id + ", decision ";
  text += std::to_string(turn.decision_id);
  text += ": ";
  text += to_string(turn.phase);
  text += " on " + to_string(turn.top) + ", hand " + listed(turn.hand) + ", legal " + listed(turn.legal);
  return text;
}

}  // namespace kitumaija
