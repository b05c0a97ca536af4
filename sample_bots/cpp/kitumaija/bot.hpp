#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "kitumaija/actions.hpp"
#include "kitumaija/view.hpp"

namespace kitumaija::v1 {
class GameOptions;  // kitumaija/v1/game.pb.h
class MatchEnd;     // kitumaija/v1/arena.pb.h
}  // namespace kitumaija::v1

namespace kitumaija {

/// The clock of deadlines: it never jumps.
using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::microseconds;

/// The limits of a match; see the guide's section on the clock.
struct Limits {
  std::chrono::nanoseconds startup{}, per_decision{}, bank{}, increment{}, margin{}, grace{}, match_cap{};
};

/// One seat of a match.
struct Player {
  std::uint32_t seat = 0;
  std::string bot_id;
  std::string display_name;
};

/// What a bot knows of one of its matches. What Seating tells is there from the first turn on.
struct Match {
  std::string id;
  std::uint32_t seats = 0;
  Limits limits;
  std::uint32_t seat = 0;
  std::vector<Player> players;
  std::shared_ptr<const v1::GameOptions> options;
};

/// One decision: what the seat may know, what it may do, and how long it has.
struct Turn : View {
  std::shared_ptr<const Match> match;
  std::uint32_t decision_id = 0;
  std::vector<Action> legal;      ///< never empty; cards, turn, take, pass
  std::span<const Event> events;  ///< what happened since this bot's last turn; valid during the call
  Microseconds time_left{};
  Microseconds bank{};           ///< what of time_left is the reserve of the whole match
  Microseconds last_used{};      ///< charged for the last decision
  Microseconds round_trip{};     ///< what of it the network takes; 0 while there is no estimate
  Clock::time_point deadline{};  ///< when an answer must leave here to be in time
};

/// A turn, for a log.
std::string to_string(const Turn& turn);

/// Plays one match, on a thread of its own: its methods are called one after another, those of different matches at the
/// same time. What a method throws is told on stderr, and costs neither the stream nor another match.
class Bot {
 public:
  Bot() = default;
  Bot(const Bot&) = delete;
  Bot& operator=(const Bot&) = delete;
  Bot(Bot&&) = delete;
  Bot& operator=(Bot&&) = delete;
  virtual ~Bot() = default;

  /// Loads what one match needs; the server is told that the bot is ready when it returns. If it throws, it is not.
  virtual void start(const Match& /*match*/) {}

  /// Returns an action of turn.legal; for any other, and for what is thrown, the first legal action is played.
  /// `decided` is asked to stop when the decision was made without the bot; its own clock is turn.deadline.
  virtual Action choose(const Turn& turn, std::stop_token decided) = 0;

  /// Sees how the match ended.
  virtual void end(const Match& /*match*/, const v1::MatchEnd& /*end*/) {}
};

/// Makes the bot of one match; called on the thread of that match.
using BotMaker = std::function<std::unique_ptr<Bot>()>;

/// A bot without a memory, out of a function from a turn to an action.
template <typename Function>
BotMaker memoryless(Function function) {
  class Memoryless final : public Bot {
   public:
    explicit Memoryless(Function function) : function_{std::move(function)} {}
    Action choose(const Turn& turn, std::stop_token /*decided*/) override { return function_(turn); }

   private:
    Function function_;
  };
  return [function = std::move(function)] { return std::make_unique<Memoryless>(function); };
}

}  // namespace kitumaija
