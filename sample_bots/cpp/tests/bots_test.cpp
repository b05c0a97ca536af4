// The client and what its bots do, on their threads.
#include <gtest/gtest.h>

#include <future>
#include <map>
#include <stdexcept>

#include "playing.hpp"

namespace kitumaija {
namespace {

using namespace std::chrono_literals;

TEST(Bots, ThatFailPlayTheFirstLegalAction) {
  const std::map<std::string, BotMaker> failing{
      {"throws", memoryless([](const Turn&) -> Action { throw std::runtime_error{"oh"}; })},
      {"throws a number", memoryless([](const Turn&) -> Action { throw 7; })},
      {"is illegal", memoryless([](const Turn&) { return Play{maija}; })},
      {"is none", [] { return std::unique_ptr<Bot>{}; }},
  };
  for (const auto& [how, make] : failing) {
    SCOPED_TRACE(how);
    Played played{make};
    played.hear({said::ask("m", 1, {5, 6})});
    EXPECT_TRUE(played.think().empty());
    EXPECT_EQ(played.think().at(0).answer().action().play(), 5);
    EXPECT_TRUE(played.logged("the bot failed, and 6C"));
    EXPECT_EQ(played.hear({said::ping(1)}).size(), 1U);
  }
}

/// A bot whose calls are told to the test.
class Told final : public Bot {
 public:
  struct Calls {
    std::atomic<bool> start_fails{false};
    Mailbox<std::string> made;
  };
  explicit Told(Calls& calls) : calls_{calls} {}

  void start(const Match& match) override {
    if (calls_.start_fails) {
      throw std::runtime_error{"no memory"};
    }
    calls_.made.put("start " + match.id);
  }
  Action choose(const Turn& turn, std::stop_token decided) override {
    std::promise<void> stopped;
    const std::stop_callback callback{decided, [&] { stopped.set_value(); }};
    calls_.made.put("choose");
    stopped.get_future().wait();
    calls_.made.put("stopped");
    return turn.legal.front();
  }
  void end(const Match& match, const v1::MatchEnd& end) override {
    calls_.made.put("end " + match.id);
    if (end.places_size() == 0) {
      throw std::runtime_error{"no places"};
    }
  }

 private:
  Calls& calls_;
};

std::string next(Told::Calls& calls) { return calls.made.take(Clock::now() + patience).value_or("nothing"); }

TEST(Bots, ThatDoNotStartAreNotReady) {
  Told::Calls calls;
  calls.start_fails = true;
  Played played{[&] { return std::make_unique<Told>(calls); }};
  played.hear({said::offer("m")});
  EXPECT_TRUE(played.think().empty());
  EXPECT_TRUE(played.logged("failed to start"));
  EXPECT_TRUE(played.logged("no memory"));
}

TEST(Bots, AreStoppedAtTheEndAndSeeItLast) {
  Told::Calls calls;
  Played played{[&] { return std::make_unique<Told>(calls); }};
  played.begin("m");
  played.hear({said::ask("m", 1, {1})});
  EXPECT_EQ(next(calls), "start m");
  EXPECT_EQ(next(calls), "choose");
  EXPECT_TRUE(played.hear({said::end("m")}).empty());
  EXPECT_EQ(next(calls), "stopped");
  EXPECT_EQ(next(calls), "end m");
  EXPECT_TRUE(played.think().empty()) << "the choice came too late";
  EXPECT_EQ(played.reopen({}).match_ids_size(), 0);
}

TEST(Bots, AreStoppedInAMatchThatTheServerDoesNotNameAndStillSeeItsEnd) {
  Told::Calls calls;
  Played played{[&] { return std::make_unique<Told>(calls); }};
  played.begin("m");
  played.hear({said::ask("m", 1, {1})});
  EXPECT_EQ(next(calls), "start m");
  EXPECT_EQ(next(calls), "choose");
  EXPECT_EQ(played.reopen({}).match_ids_size(), 1);
  EXPECT_EQ(next(calls), "stopped");
  EXPECT_TRUE(played.think().empty());
  played.hear({said::end("m")});
  EXPECT_EQ(next(calls), "end m");
  EXPECT_EQ(played.reopen({}).match_ids_size(), 0);
}

TEST(Bots, MayFailAtTheEnd) {
  Told::Calls calls;
  Played played{[&] { return std::make_unique<Told>(calls); }};
  played.begin("m");
  played.hear({said::end("m")});
  EXPECT_EQ(next(calls), "start m");
  EXPECT_EQ(next(calls), "end m");
  played.begin("another");
  played.client.dismiss(Clock::now() + patience);
  EXPECT_TRUE(played.logged("failed at the end of match m"));
}

TEST(Bots, ThatDoNotStopAreLeftBehind) {
  const auto released = std::make_shared<std::promise<void>>();
  const auto thinking = std::make_shared<std::promise<void>>();
  const auto gone = std::make_shared<std::promise<void>>();
  {
    Played played{memoryless([release = released->get_future().share(), thinking, gone](const Turn& turn) {
      thinking->set_value();
      release.wait();
      gone->set_value();
      return turn.legal.front();
    })};
    played.begin("m");
    played.hear({said::ask("m", 1, {1})});
    thinking->get_future().wait();
    played.client.dismiss(Clock::now());
    released->set_value();
    gone->get_future().wait();
    played.think();
  }
}

TEST(Bots, HaveTheirThinkingTimeTold) {
  std::atomic<Played*> around{nullptr};
  Played played{memoryless([&](const Turn& turn) {
    around.load()->now = turn.deadline - 1s;
    return turn.legal.front();
  })};
  around = &played;
  played.begin("m");
  played.hear({said::ask("m", 1, {1})});  // 60 s are left
  EXPECT_EQ(played.think().at(0).answer().think_time_us(), 59'000'000);
}

}  // namespace
}  // namespace kitumaija
