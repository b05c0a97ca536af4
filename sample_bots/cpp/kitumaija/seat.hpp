#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "kitumaija/bot.hpp"
#include "kitumaija/surroundings.hpp"

namespace kitumaija {

/// The bot of a match was made and has started; or it failed, and why.
struct Loaded {
  std::string match_id;
  std::string failure;
};

/// What is to be answered to a decision, and how long the bot thought about it.
struct Chosen {
  std::string match_id;
  std::uint32_t decision_id = 0;
  Action action;
  Microseconds took{};
};

/// What the thread of a match reports.
using Result = std::variant<Loaded, Chosen>;

/// The bot of one match, as the thread of that match calls it. Whatever the bot throws ends here.
class Seat {
 public:
  Seat(BotMaker make, Surroundings around);

  /// Makes the bot and lets it start.
  Loaded load(const Match& match);
  /// What the bot plays; the first legal action where it fails. `fresh` is what happened since the last call of this.
  Chosen choose(Turn turn, std::vector<Event> fresh, const std::stop_token& decided);
  /// Notes events for the bot's next turn, where it was not asked about this one.
  void remember(std::vector<Event> fresh);
  /// Lets the bot see the end.
  void end(const Match& match, const v1::MatchEnd& end);

 private:
  BotMaker make_;
  Surroundings around_;
  std::unique_ptr<Bot> bot_;
  std::vector<Event> untold_;
};

}  // namespace kitumaija
