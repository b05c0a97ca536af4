#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kitumaija/bot.hpp"
#include "kitumaija/ending.hpp"
#include "kitumaija/v1/arena.pb.h"

namespace kitumaija {

/// Whom to dial, and how.
struct Dial {
  std::string target;  ///< HOST:PORT
  std::string token;
  bool secure = false;       ///< TLS
  std::string certificates;  ///< to trust, in PEM; empty means the system's
};

/// What a Line tells, from a thread of its own: each frame with the time that it came, and last of all, once, how the
/// stream ended.
struct Listener {
  std::function<Clock::time_point()> now;
  std::function<void(v1::PlayResponse, Clock::time_point)> heard;
  std::function<void(Ending)> over;
};

/// One stream to the server, with a connection of its own. When a Line goes, it is cut, and its threads have ended.
class Line {
 public:
  Line(const Dial& dial, Listener listener);
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  Line(Line&&) = delete;
  Line& operator=(Line&&) = delete;
  ~Line();

  /// Sends messages, in order. It does not wait, not even for a connection.
  void say(std::vector<v1::BotMessage> messages);
  /// Closes the bot's half of the stream when all is said.
  void hang_up();
  /// Ends the stream at once.
  void cut();

 private:
  class Stream;  // so that nobody else has to read gRPC's headers
  std::unique_ptr<Stream> stream_;
};

}  // namespace kitumaija
