#include "kitumaija/worker.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace kitumaija {

struct Worker::Jobs {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::deque<Job> waiting;
  bool closed = false;
  bool finished = false;

  void work(const std::stop_token& dropped) {
    std::unique_lock lock{mutex};
    for (;;) {
      changed.wait(lock, dropped, [this] { return closed || !waiting.empty(); });
      if (dropped.stop_requested() || waiting.empty()) {
        break;
      }
      Job job = std::move(waiting.front());
      waiting.pop_front();
      lock.unlock();
      job();
      job = nullptr;  // what it holds goes here, not under the lock
      lock.lock();
    }
    finished = true;
    changed.notify_all();
  }

  template <typename Change>
  void change(Change change) {
    {
      const std::scoped_lock lock{mutex};
      change();
    }
    changed.notify_all();
  }
};

Worker::Worker()
    : jobs_{std::make_shared<Jobs>()}, thread_{[jobs = jobs_](const std::stop_token& dropped) {
        jobs->work(dropped);
      }} {}

void Worker::then(Job job) {
  jobs_->change([&] { jobs_->waiting.push_back(std::move(job)); });
}

void Worker::finish() {
  jobs_->change([&] { jobs_->closed = true; });
}

void Worker::drop() { thread_.request_stop(); }

bool Worker::finished() const {
  const std::scoped_lock lock{jobs_->mutex};
  return jobs_->finished;
}

void Worker::leave_behind(Clock::time_point until) {
  std::unique_lock lock{jobs_->mutex};
  if (!jobs_->changed.wait_until(lock, until, [this] { return jobs_->finished; })) {
    thread_.detach();
  }
}

}  // namespace kitumaija
