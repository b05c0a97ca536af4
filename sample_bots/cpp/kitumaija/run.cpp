#include "kitumaija/run.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "kitumaija/backoff.hpp"
#include "kitumaija/client.hpp"
#include "kitumaija/mailbox.hpp"

namespace kitumaija {

namespace {

/// A frame came.
struct Heard {
  v1::PlayResponse frame;
  Clock::time_point at;
};
/// Playing is to end.
struct Leave {};

/// All that happens to a run comes to its one loop. Bots that are left behind may still put into it.
using Inbox = Mailbox<std::variant<Heard, Ending, Result, Leave>>;

std::string in_seconds(Clock::duration wait) {
  const auto tenths = std::chrono::round<std::chrono::duration<int, std::deci>>(wait).count();
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

class Run {
 public:
  Run(const BotMaker& make, const Options& options, Dial dial, std::stop_token leave, Surroundings around)
      : options_{options},
        dial_{std::move(dial)},
        leave_{std::move(leave)},
        around_{std::move(around)},
        client_{make, {options.bot_version, options.capacity}, around_, [inbox = inbox_](Result result) {
                  inbox->put(std::move(result));
                }} {}

  Outcome operator()() {
    const std::stop_callback on_leave{leave_, [this] { inbox_->put(Leave{}); }};
    auto outcome = play_on();
    client_.dismiss(Clock::now() + options_.waits.leaving);
    return outcome;
  }

 private:
  /// One stream after another.
  Outcome play_on() {
    BackOff waits{options_.waits.first, options_.waits.last, around_.chance};
    auto reached = Clock::now();
    while (!leave_.stop_requested()) {
      const auto began = Clock::now();
      const Ending ending = play();
      if (leave_.stop_requested()) {
        break;
      }
      if (!ending.again()) {
        return Refused{ending};
      }
      if (client_.welcomed()) {
        reached = Clock::now();
        if (reached - began > options_.waits.last) {
          waits.reset();
        }
      }
      if (Clock::now() - reached >= options_.waits.patience) {
        return Unreachable{options_.address, ending};
      }
      const auto wait = waits.wait(ending.retry_after());
      around_.log("dialing again in " + in_seconds(wait) + ", because of " + to_string(ending));
      rest(Clock::now() + wait);
    }
    return Left{};
  }

  /// Waits, and takes what the bots choose meanwhile.
  void rest(Clock::time_point until) {
    while (auto happened = inbox_->take(until)) {
      if (const auto* result = std::get_if<Result>(&*happened)) {
        client_.take(*result);
      } else if (std::holds_alternative<Leave>(*happened)) {
        return;
      }
    }
  }

  /// One stream, to its end.
  Ending play() {
    client_.open();
    Line line{dial_,
              {.now = around_.now,
               .heard =
                   [this](v1::PlayResponse frame, auto at) {
                     inbox_->put(Heard{std::move(frame), at});
                   },
               .over = [this](Ending ending) { inbox_->put(std::move(ending)); }}};
    auto quiet_until = Clock::now() + options_.waits.silence;
    bool leaving = false;
    bool silent = false;
    for (;;) {
      line.say(client_.said());
      auto happened = inbox_->take(quiet_until);
      if (!happened) {
        silent = true;
        line.cut();
        quiet_until = Clock::now() + options_.waits.silence;
      } else if (auto* heard = std::get_if<Heard>(&*happened)) {
        if (!leaving) {
          quiet_until = Clock::now() + options_.waits.silence;
        }
        for (const auto& message : heard->frame.messages()) {
          client_.hear(message, heard->at);
        }
      } else if (const auto* result = std::get_if<Result>(&*happened)) {
        client_.take(*result);
      } else if (auto* ending = std::get_if<Ending>(&*happened)) {
        if (silent) {
          ending->message = "nothing was heard for " + in_seconds(options_.waits.silence);
        }
        return std::move(*ending);
      } else {
        leaving = true;
        quiet_until = Clock::now() + options_.waits.leaving;
        client_.leave("asked to stop");
        line.say(client_.said());
        line.hang_up();
      }
    }
  }

  const Options& options_;
  Dial dial_;
  std::stop_token leave_;
  Surroundings around_;
  std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
  Client client_;
};

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string{} : std::string{value};
}

}  // namespace

Options options_from_environment() {
  return {.address = setting("KITUMAIJA_ADDRESS"),
          .token = setting("KITUMAIJA_TOKEN"),
          .ca_file = setting("KITUMAIJA_TLS_CA")};
}

std::variant<Dial, WrongSetting> dial_of(const Options& options) {
  std::string_view target = options.address;
  const bool https = target.starts_with("https://");
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (target.starts_with(scheme)) {
      target.remove_prefix(scheme.size());
    }
  }
  if (target.ends_with("/")) {
    target.remove_suffix(1);
  }
  if (target.empty()) {
    return WrongSetting{"there is no address: set KITUMAIJA_ADDRESS to HOST:PORT or https://HOST:PORT"};
  }
  if (options.token.empty()) {
    return WrongSetting{"there is no token: set KITUMAIJA_TOKEN to what the organizer gave you"};
  }
  Dial dial{std::string{target}, options.token, https || !options.ca_file.empty(), {}};
  if (!options.ca_file.empty()) {
    std::ifstream file{options.ca_file, std::ios::binary};
    dial.certificates.assign(std::istreambuf_iterator<char>{file}, {});
    if (dial.certificates.find("-----BEGIN CERTIFICATE-----") == std::string::npos) {
      return WrongSetting{"there is no certificate to be read in " + options.ca_file +
                          ": set KITUMAIJA_TLS_CA to a file of certificates in PEM"};
    }
  }
  return dial;
}

Outcome run(const BotMaker& make, const Options& options, const std::stop_token& leave, const Surroundings& around) {
  auto dial = dial_of(options);
  if (auto* wrong = std::get_if<WrongSetting>(&dial)) {
    return std::move(*wrong);
  }
  return Run{make, options, std::get<Dial>(std::move(dial)), leave, around}();
}

}  // namespace kitumaija
