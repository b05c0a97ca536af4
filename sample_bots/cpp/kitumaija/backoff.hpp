#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "kitumaija/bot.hpp"

namespace kitumaija {

/// The waits between two dials: they double, and each is drawn at random from its upper half, so that the bots of a
/// restarted server do not come all at once.
class BackOff {
 public:
  BackOff(Clock::duration first, Clock::duration last, std::function<double()> chance)
      : first_{first}, last_{last}, next_{first}, chance_{std::move(chance)} {}

  /// The next wait, never less than `at_least`.
  Clock::duration wait(Clock::duration at_least) {
    const auto half = next_ / 2;
    const auto drawn = std::chrono::duration_cast<Clock::duration>(half * chance_());
    next_ = std::min(2 * next_, last_);
    return std::max(half + drawn, at_least);
  }

  /// Begins anew, after a stream that was good.
  void reset() { next_ = first_; }

 private:
  Clock::duration first_;
  Clock::duration last_;
  Clock::duration next_;
  std::function<double()> chance_;
};

}  // namespace kitumaija
