#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kitumaija/client.hpp"
#include "kitumaija/mailbox.hpp"
#include "messages.hpp"

namespace kitumaija {

inline constexpr std::chrono::seconds patience{30};  // bounds hanging; no test asserts a time

/// The smallest bot.
inline const BotMaker first_legal = memoryless([](const Turn& turn) { return turn.legal.front(); });

/// A client with the threads of its bots, on a clock and with a log of the test's own.
class Played {
 public:
  explicit Played(BotMaker make)
      : client{std::move(make), {"1", 4}, surroundings(), [results = results_](Result result) {
                 results->put(std::move(result));
               }} {
    client.open();
    opening = client.said();
    hear({said::welcome()});
  }
  ~Played() { client.dismiss(Clock::now() + patience); }

  Played(const Played&) = delete;
  Played& operator=(const Played&) = delete;
  Played(Played&&) = delete;
  Played& operator=(Played&&) = delete;

  /// What is said at once to these messages.
  std::vector<v1::BotMessage> hear(const std::vector<v1::ServerMessage>& messages) {
    for (const auto& message : messages) {
      client.hear(message, now.load());
    }
    return client.said();
  }

  /// What is said when the next of the bots' results is in.
  std::vector<v1::BotMessage> think() {
    const auto result = results_->take(Clock::now() + patience);
    if (!result) {
      ADD_FAILURE() << "no bot chose anything";
      return {};
    }
    client.take(*result);
    return client.said();
  }

  /// A match that is offered, and for which the bot is ready.
  void begin(const std::string& match) {
    EXPECT_TRUE(hear({said::offer(match)}).empty());
    const auto ready = think();
    ASSERT_EQ(ready.size(), 1U);
    EXPECT_EQ(ready[0].ready().match_id(), match);
  }

  /// A new stream, on which the server names these matches; the Hello that begins it.
  v1::Hello reopen(const std::vector<std::string>& matches) {
    client.open();
    const auto hello = client.said().at(0).hello();
    hear({said::welcome(matches)});
    return hello;
  }

  [[nodiscard]] bool logged(const std::string& text) {
    const std::scoped_lock lock{mutex_};
    return std::any_of(lines_.begin(), lines_.end(),
                       [&](const auto& line) { return line.find(text) != std::string::npos; });
  }

  std::atomic<Clock::time_point> now{Clock::time_point{}};
  std::atomic<bool> has_secrets{true};
  std::vector<v1::BotMessage> opening;

 private:
  Surroundings surroundings() {
    Surroundings around;
    around.now = [this] { return now.load(); };
    around.log = [this](std::string_view line) {
      const std::scoped_lock lock{mutex_};
      lines_.emplace_back(line);
    };
    around.secret = [this](std::span<std::uint8_t> bytes) {
      std::fill(bytes.begin(), bytes.end(), ++drawn_);
      return has_secrets.load();
    };
    return around;
  }

  // A bot that is left behind may still put into it.
  std::shared_ptr<Mailbox<Result>> results_ = std::make_shared<Mailbox<Result>>();
  std::mutex mutex_;
  std::vector<std::string> lines_;
  std::uint8_t drawn_ = 0;

 public:
  Client client;
};

}  // namespace kitumaija
