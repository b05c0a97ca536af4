#include "kitumaija/seat.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace kitumaija {

namespace {

/// Why the call failed; empty if it did not.
template <typename Call>
std::string failure_of(Call call) {
  try {
    call();
    return {};
  } catch (const std::exception& error) {
    return std::string{"it threw: "} + error.what();
  } catch (...) {
    return "it threw what is no std::exception";
  }
}

}  // namespace

Seat::Seat(BotMaker make, Surroundings around) : make_{std::move(make)}, around_{std::move(around)} {}

Loaded Seat::load(const Match& match) {
  return {match.id, failure_of([&] {
            auto bot = make_();
            if (!bot) {
              throw std::invalid_argument{"the BotMaker gave no bot"};
            }
            bot->start(match);
            bot_ = std::move(bot);
          })};
}

void Seat::remember(std::vector<Event> fresh) { std::move(fresh.begin(), fresh.end(), std::back_inserter(untold_)); }

Chosen Seat::choose(Turn turn, std::vector<Event> fresh, const std::stop_token& decided) {
  remember(std::move(fresh));
  turn.events = untold_;
  Action action = turn.legal.front();
  const auto began = around_.now();
  auto failure = failure_of([&] {
    if (!bot_) {
      throw std::logic_error{"it did not start"};
    }
    const Action chosen = bot_->choose(turn, decided);
    if (std::find(turn.legal.begin(), turn.legal.end(), chosen) == turn.legal.end()) {
      throw std::domain_error{"got the action " + to_string(chosen) + ", want one that is legal"};
    }
    action = chosen;
  });
  const auto took = std::chrono::duration_cast<Microseconds>(around_.now() - began);
  untold_.clear();
  if (!failure.empty()) {
    around_.log("the bot failed, and " + to_string(action) + ", the first legal action, is played for it: " + failure +
                "; " + to_string(turn));
  }
  return {turn.match->id, turn.decision_id, action, took};
}

void Seat::end(const Match& match, const v1::MatchEnd& end) {
  if (!bot_) {
    return;
  }
  const auto failure = failure_of([&] { bot_->end(match, end); });
  if (!failure.empty()) {
    around_.log("the bot failed at the end of match " + match.id + ": " + failure);
  }
}

}  // namespace kitumaija
