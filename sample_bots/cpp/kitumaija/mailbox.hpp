#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "kitumaija/bot.hpp"

namespace kitumaija {

/// What several threads hand to one, in order.
template <typename Value>
class Mailbox {
 public:
  void put(Value value) {
    {
      const std::scoped_lock lock{mutex_};
      values_.push_back(std::move(value));
    }
    filled_.notify_one();
  }

  /// The next value, or nothing if none comes before `until`.
  std::optional<Value> take(Clock::time_point until) {
    std::unique_lock lock{mutex_};
    if (!filled_.wait_until(lock, until, [this] { return !values_.empty(); })) {
      return std::nullopt;
    }
    std::optional<Value> value{std::move(values_.front())};
    values_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<Value> values_;
};

}  // namespace kitumaija
