#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kitumaija/bot.hpp"
#include "kitumaija/seat.hpp"
#include "kitumaija/shares.hpp"
#include "kitumaija/surroundings.hpp"
#include "kitumaija/v1/arena.pb.h"
#include "kitumaija/worker.hpp"

namespace kitumaija {

/// What a bot tells of itself.
struct Introduction {
  std::string bot_version;     ///< frozen by a tournament at its first match
  std::uint32_t capacity = 0;  ///< matches at once; 0 means the server's default
};

/// What outlives a stream: the matches, and what was answered in them. It does no I/O: tell it what comes, and send
/// what it has `said`. One thread at a time calls it; the bots think on threads of their own, and what they have chosen
/// comes by `report`, to be handed to `take`.
class Client {
 public:
  Client(BotMaker make, Introduction introduction, Surroundings around, std::function<void(Result)> report);

  /// Begins a stream: nothing that was said on the one before, and not sent, counts on it.
  void open();
  /// Takes a message of the server that came at the time `arrived`. One of a kind that is unknown here is ignored.
  void hear(const v1::ServerMessage& message, Clock::time_point arrived);
  /// Takes what the thread of a match reports.
  void take(const Result& result);
  /// Leaves: says Goodbye, and nothing after it.
  void leave(std::string_view reason);
  /// What is to be sent now; each message is given once.
  std::vector<v1::BotMessage> said();
  /// Whether the server has greeted the bot on this stream.
  [[nodiscard]] bool welcomed() const { return welcomed_; }
  /// Lets every bot stop; one that does not by `until` is left behind.
  void dismiss(Clock::time_point until);

 private:
  /// One match. Its bot is its thread's alone.
  struct Game {
    Game(std::shared_ptr<const Match> known_of_it, std::shared_ptr<Seat> its_seat)
        : match{std::move(known_of_it)}, seat{std::move(its_seat)} {}

    std::shared_ptr<const Match> match;  // replaced, never changed: bots hold on to it
    std::shared_ptr<Seat> seat;
    Worker worker;

    std::uint64_t offered_on = 0;  // the stream on which it was offered last
    bool loaded = false;           // the bot is made and started
    bool over = false;             // the server plays it no more; its MatchEnd may still come
    bool behind = false;           // a Resync is on its way

    std::uint32_t known = 0;                      // how many events are known, from event 0
    std::uint32_t handed = 0;                     // how many of them its thread was given
    std::vector<Event> fresh;                     // the others
    std::uint32_t asked = 0;                      // the decision asked last
    std::uint64_t asked_on = 0;                   // the stream on which it was asked last
    std::optional<v1::Answer> answer;             // to it, until it is accepted or refused
    std::stop_source thinking{std::nostopstate};  // about it

    /// Ends the thinking and drops the answer.
    void forget();
    /// Adds events; false where some are missing in between.
    bool extend(const v1::Decision& decision);
    /// Takes all events anew.
    void replace(const google::protobuf::RepeatedPtrField<v1::Event>& events);
  };

  void on(const v1::Welcome& welcome);
  void on(const v1::MatchStart& start);
  void on(const v1::Seating& seating);
  void on(const v1::MatchSync& sync);
  void on(const v1::Decision& asked, Clock::time_point arrived);
  void on(const v1::Accepted& accepted);
  void on(const v1::Refusal& refusal);
  void on(const v1::MatchEnd& end);
  void on(const v1::EntropyRequest& asked);
  void on(const Loaded& loaded);
  void on(const Chosen& chosen);

  Game* find(const std::string& match_id);
  /// The match; where it is new, its bot is made from what is known of it now.
  Game& game_of(Match match);
  void ready(const Game& game);
  void say(const v1::Answer& answer);
  /// The next message to say, to be filled.
  v1::BotMessage& next() { return outbox_.emplace_back(); }
  /// Forgets a match. Its bot still does what it was given.
  void retire(const std::string& match_id);

  BotMaker make_;
  Introduction introduction_;
  Surroundings around_;
  std::function<void(Result)> report_;
  std::map<std::string, Game> games_;
  std::vector<Worker> retired_;  // of matches that are over, at their last calls
  Shares shares_;

  std::uint64_t stream_ = 0;  // counts the streams, from 1
  bool welcomed_ = false;     // on this stream
  bool left_ = false;
  std::vector<v1::BotMessage> outbox_;
};

}  // namespace kitumaija
