#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "kitumaija/v1/arena.pb.h"

namespace kitumaija {

/// The largest frame that the server takes, in bytes.
inline constexpr std::size_t largest_frame = std::size_t{64} * 1024;

/// What waits to be written to a stream. One thread fills it, another packs it into frames.
class Outbox {
 public:
  void put(std::vector<v1::BotMessage> messages);
  /// Nothing more will be put; what waits is still written.
  void finish();
  /// The stream is over; what waits is dropped.
  void close();
  /// Waits for something to say, and packs as much of it as a frame takes; nothing when no more is to be written.
  std::optional<v1::PlayRequest> frame();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<v1::BotMessage> waiting_;
  bool finished_ = false;
};

}  // namespace kitumaija
