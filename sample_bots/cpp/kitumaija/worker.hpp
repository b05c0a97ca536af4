#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "kitumaija/bot.hpp"

namespace kitumaija {

/// A thread that does what it is given, one after the other. Jobs must not throw. When a Worker goes it waits for the
/// job that it is at, and does no other.
class Worker {
 public:
  using Job = std::function<void()>;

  Worker();

  /// Adds a job.
  void then(Job job);
  /// Ends the thread when all that it was given is done.
  void finish();
  /// Ends the thread when the job that it is at is done; no other is.
  void drop();
  /// Whether the thread has ended, or is about to.
  [[nodiscard]] bool finished() const;
  /// Waits for a thread that is to end, and lets go of one that has not by `until`: it then ends with its job, or with
  /// the process.
  void leave_behind(Clock::time_point until);

 private:
  struct Jobs;
  std::shared_ptr<Jobs> jobs_;  // the thread holds it, too
  std::jthread thread_;
};

}  // namespace kitumaija
