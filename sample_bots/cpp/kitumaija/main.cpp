#include <pthread.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <stop_token>
#include <thread>

#include "kitumaija/run.hpp"

namespace kitumaija {

namespace {

/// Makes a request to stop of the first SIGINT or SIGTERM, and an end of the second.
class Signals {
 public:
  Signals() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    thread_ = std::jthread{[this](const std::stop_token& done) { wait(done); }};
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  Signals(Signals&&) = delete;
  Signals& operator=(Signals&&) = delete;
  ~Signals() {
    thread_.request_stop();
    pthread_kill(thread_.native_handle(), SIGINT);  // wakes it
  }

  [[nodiscard]] std::stop_token asked_to_stop() const { return stop_.get_token(); }

 private:
  void wait(const std::stop_token& done) {
    for (int signal = 0; sigwait(&signals_, &signal) == 0 && !done.stop_requested();) {
      if (!stop_.request_stop()) {
        std::_Exit(128 + signal);
      }
    }
  }

  sigset_t signals_{};
  std::stop_source stop_;
  std::jthread thread_;
};

}  // namespace

int play_main(const BotMaker& make) {
  const Surroundings around;
  try {
    const Signals signals;
    const auto outcome = run(make, options_from_environment(), signals.asked_to_stop(), around);
    around.log("the bot stops: " + to_string(outcome));
    return exit_code(outcome);
  } catch (const std::exception& error) {
    around.log(std::string{"the bot stops, for it cannot go on: "} + error.what());
    return 1;
  }
}

}  // namespace kitumaija
