// The whole client against a scripted server in this process, over sockets.
#include "kitumaija/run.hpp"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <optional>
#include <thread>

#include "errors.pb.h"
#include "kitumaija/v1/arena.grpc.pb.h"
#include "playing.hpp"

namespace kitumaija {
namespace {

using namespace std::chrono_literals;

/// One stream, as the server of a test sees it.
class Talk {
 public:
  using Stream = grpc::ServerReaderWriter<v1::PlayResponse, v1::PlayRequest>;
  explicit Talk(Stream& stream) : stream_{stream} {}

  /// The next message of the bot; nothing when it has closed its half.
  std::optional<v1::BotMessage> hear() {
    while (heard_.empty()) {
      v1::PlayRequest frame;
      if (!stream_.Read(&frame)) {
        return std::nullopt;
      }
      heard_.insert(heard_.end(), frame.messages().begin(), frame.messages().end());
    }
    auto message = heard_.front();
    heard_.pop_front();
    return message;
  }

  void say(const std::vector<v1::ServerMessage>& messages) {
    v1::PlayResponse frame;
    frame.mutable_messages()->Add(messages.begin(), messages.end());
    stream_.Write(frame);
  }

  /// The Hello that begins the stream, answered.
  v1::Hello greet(const std::vector<std::string>& matches = {}) {
    const auto hello = hear();
    say({said::welcome(matches)});
    return hello ? hello->hello() : v1::Hello{};
  }

 private:
  Stream& stream_;
  std::deque<v1::BotMessage> heard_;
};

using Script = std::function<grpc::Status(Talk&)>;

grpc::Status refusing(const std::string& reason, grpc::StatusCode code) {
  errors::ErrorInfo info;
  info.set_reason(reason);
  info.set_domain("kitumaija");
  errors::Status status;
  status.set_code(code);
  auto& detail = *status.add_details();
  detail.set_type_url("type.googleapis.com/google.rpc.ErrorInfo");
  detail.set_value(info.SerializeAsString());
  return {code, "no", status.SerializeAsString()};
}

/// A server that follows one script a stream, and asks the bot to leave when the last is over.
class Scripted final : public v1::ArenaService::Service {
 public:
  explicit Scripted(std::vector<Script> scripts) : scripts_{std::move(scripts)} {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
  }
  ~Scripted() override { server_->Shutdown(std::chrono::system_clock::now()); }

  Scripted(const Scripted&) = delete;
  Scripted& operator=(const Scripted&) = delete;
  Scripted(Scripted&&) = delete;
  Scripted& operator=(Scripted&&) = delete;

  grpc::Status Play(grpc::ServerContext* context, Talk::Stream* stream) override {
    const auto token = context->client_metadata().find("authorization");
    EXPECT_TRUE(token != context->client_metadata().end() && token->second == "Bearer secret");
    const auto number = streams_++;
    if (number >= scripts_.size()) {
      ADD_FAILURE() << "the bot dialed again";
      leaving.request_stop();
      return grpc::Status::OK;
    }
    Talk talk{*stream};
    auto status = scripts_[number](talk);
    if (number + 1 == scripts_.size() && status.ok()) {
      leaving.request_stop();
    }
    return status;
  }

  /// Plays with a bot until it ends.
  Outcome play(const BotMaker& make, Waits waits = {.first = 1ms, .last = 1ms}) {
    const std::jthread watch{[this](const std::stop_token& over) {
      Mailbox<bool> done;
      const std::stop_callback callback{over, [&] { done.put(true); }};
      if (!done.take(Clock::now() + patience)) {
        ADD_FAILURE() << "it hangs";
        leaving.request_stop();
        server_->Shutdown(std::chrono::system_clock::now());
      }
    }};
    Surroundings quiet;
    quiet.log = [](std::string_view) {};
    return run(make, {.address = address(), .token = "secret", .waits = waits}, leaving.get_token(), quiet);
  }

  [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  std::stop_source leaving;

 private:
  std::vector<Script> scripts_;
  std::atomic<std::size_t> streams_{0};
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

const Script greeting = [](Talk& talk) {
  talk.greet();
  return grpc::Status::OK;
};

TEST(Run, SendsAnAnswerThatWasNotAcceptedAgainOnTheNextStream) {
  v1::Answer before;
  v1::Answer after;
  v1::Hello hello;
  Scripted server{{
      [&](Talk& talk) {
        talk.greet();
        talk.say({said::offer("m")});
        EXPECT_EQ(talk.hear()->ready().match_id(), "m");
        talk.say({said::ask("m", 1, {v1::CARD_HEARTS_EIGHT})});
        before = talk.hear()->answer();
        return grpc::Status{grpc::UNAVAILABLE, "the line breaks"};
      },
      [&](Talk& talk) {
        hello = talk.greet({"m"});
        talk.say({said::sync("m", 3), said::ask("m", 1, {v1::CARD_CLUBS_TWO}, 3)});
        after = talk.hear()->answer();
        return grpc::Status::OK;
      },
  }};
  EXPECT_EQ(exit_code(server.play(first_legal)), 0);
  ASSERT_EQ(hello.match_ids_size(), 1);
  EXPECT_EQ(hello.match_ids(0), "m");
  EXPECT_EQ(before.action().play(), v1::CARD_HEARTS_EIGHT);
  EXPECT_EQ(after.SerializeAsString(), before.SerializeAsString());
}

TEST(Run, DialsAgainAfterWhatIsNotFinal) {
  Scripted server{{
      [](Talk& talk) {
        talk.greet();
        return refusing("DRAINING", grpc::UNAVAILABLE);
      },
      [](Talk&) { return refusing("NEWER_THAN_THIS_BOT", grpc::RESOURCE_EXHAUSTED); },
      [](Talk& talk) {
        talk.greet();
        return grpc::Status{grpc::INTERNAL, "a proxy between"};
      },
      greeting,
  }};
  EXPECT_EQ(exit_code(server.play(first_legal)), 0);
}

TEST(Run, DialsAgainAfterAnEndWithoutAnError) {
  Scripted server{{
      [](Talk& talk) {
        talk.greet();
        return grpc::Status::OK;
      },
      greeting,
  }};
  EXPECT_EQ(exit_code(server.play(first_legal)), 0);
}

TEST(Run, EndsWithWhatIsFinal) {
  const std::vector<std::pair<std::string, grpc::StatusCode>> final_errors{
      {"REPLACED", grpc::ABORTED},
      {"FLOODING", grpc::RESOURCE_EXHAUSTED},
      {"UNAUTHENTICATED_TOKEN", grpc::UNAUTHENTICATED},
      {"NEWER_THAN_THIS_BOT", grpc::FAILED_PRECONDITION},
  };
  for (const auto& [reason, code] : final_errors) {
    Scripted server{{[&, name = reason, status = code](Talk& talk) {
      talk.greet();
      return refusing(name, status);
    }}};
    const auto outcome = server.play(first_legal);
    EXPECT_EQ(exit_code(outcome), 4);
    EXPECT_EQ(to_string(outcome), reason + ": no");
  }
}

TEST(Run, SaysGoodbyeLastAndClosesItsHalf) {
  std::optional<v1::BotMessage> last;
  std::optional<v1::BotMessage> more;
  std::optional<Scripted> server;
  server.emplace(std::vector<Script>{[&](Talk& talk) {
    talk.greet();
    server->leaving.request_stop();
    last = talk.hear();
    talk.say({said::ping(1)});
    more = talk.hear();
    return grpc::Status::OK;
  }});
  EXPECT_EQ(exit_code(server->play(first_legal)), 0);
  ASSERT_TRUE(last);
  EXPECT_TRUE(last->has_goodbye());
  EXPECT_FALSE(more);
}

TEST(Run, LeavesThoughTheServerDoesNotSeeTheGoodbye) {
  Mailbox<bool> over;
  std::optional<Scripted> server;
  server.emplace(std::vector<Script>{[&](Talk& talk) {
    talk.greet();
    server->leaving.request_stop();
    over.take(Clock::now() + patience);
    return grpc::Status::OK;
  }});
  EXPECT_EQ(exit_code(server->play(first_legal, {.leaving = 10ms})), 0);
  over.put(true);
}

TEST(Run, GivesUpAStreamOnWhichNothingIsHeard) {
  Mailbox<bool> over;
  std::optional<Scripted> server;
  server.emplace(std::vector<Script>{
      [&](Talk& talk) {
        talk.greet();
        over.take(Clock::now() + patience);
        return grpc::Status::OK;
      },
      [&](Talk&) {
        server->leaving.request_stop();
        return grpc::Status::OK;
      },
  });
  EXPECT_EQ(exit_code(server->play(first_legal, {.first = 1ms, .last = 1ms, .silence = 100ms})), 0);
  over.put(true);
}

TEST(Run, EndsWhenNoServerIsReachedForLong) {
  std::string address;
  {
    const Scripted gone{std::vector<Script>{}};
    address = gone.address();
  }
  Surroundings quiet;
  quiet.log = [](std::string_view) {};
  const auto outcome = run(first_legal, {.address = address, .token = "secret", .waits = {.patience = 0s}}, {}, quiet);
  EXPECT_EQ(exit_code(outcome), 3);
  EXPECT_NE(to_string(outcome).find(address), std::string::npos);
}

TEST(Run, ReadsALongMatchSync) {
  auto sync = said::sync("m", 3);
  // More than the 4 MiB that gRPC reads by default.
  sync.mutable_match_sync()->mutable_seating()->mutable_players(0)->set_display_name(std::string(5 << 20, 'x'));
  v1::Answer answer;
  Scripted server{{[&](Talk& talk) {
    talk.greet({"m"});
    talk.say({sync, said::ask("m", 9, {1}, 3)});
    answer = talk.hear()->answer();
    return grpc::Status::OK;
  }}};
  EXPECT_EQ(exit_code(server.play(first_legal)), 0);
  EXPECT_EQ(answer.decision_id(), 9U);
}

}  // namespace
}  // namespace kitumaija
