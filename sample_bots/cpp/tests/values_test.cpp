#include <gtest/gtest.h>

#include <fstream>

#include "errors.pb.h"
#include "kitumaija/backoff.hpp"
#include "kitumaija/cards.hpp"
#include "kitumaija/ending.hpp"
#include "kitumaija/outbox.hpp"
#include "kitumaija/run.hpp"
#include "kitumaija/wire.hpp"

namespace kitumaija {
namespace {

using namespace std::chrono_literals;

TEST(Cards, AreReadAsTheyAreWritten) {
  for (int number = 1; number <= 52; ++number) {
    const auto card = Card::numbered(number);
    EXPECT_EQ(card, parse_card(to_string(card)));
    EXPECT_EQ(card, Card(card.suit(), card.rank()));
  }
  EXPECT_EQ(maija.number(), v1::CARD_SPADES_QUEEN);
  EXPECT_EQ(to_string(maija), "QS");
  for (const auto* text : {"", "1X", "8X", "XH", "8H ", "-"}) {
    EXPECT_FALSE(parse_card(text)) << text;
  }
}

TEST(Cards, ThatAreNotKnownAreNoCards) {
  for (const int number : {-1, 0, 53, 1000}) {
    EXPECT_EQ(Card::numbered(number), Card{});
    EXPECT_EQ(to_string(Card::numbered(number)), "-");
  }
}

TEST(Wire, TakesEnumValuesThatItDoesNotKnowForTheUnknownOne) {
  v1::View view;
  v1::Event event;
  for (const int newer : {-1, 99}) {
    view.set_phase(static_cast<v1::Phase>(newer));
    event.set_kind(static_cast<v1::EventKind>(newer));
    event.set_termination(static_cast<v1::Termination>(newer));
    EXPECT_EQ(view_of(view).phase, Phase::unknown);
    EXPECT_EQ(event_of(event).kind, EventKind::unknown);
    EXPECT_EQ(event_of(event).termination, Termination::unknown);
  }
  view.set_phase(v1::PHASE_LEAD);
  event.set_kind(v1::EVENT_KIND_GAME_ENDED);
  event.set_termination(v1::TERMINATION_TURN_CAP);
  EXPECT_EQ(view_of(view).phase, Phase::lead);
  EXPECT_EQ(event_of(event).kind, EventKind::game_ended);
  EXPECT_EQ(event_of(event).termination, Termination::turn_cap);
}

TEST(Wire, ReadsLimitsToTheNanosecond) {
  v1::Limits limits;
  limits.mutable_bank()->set_seconds(10);
  limits.mutable_margin()->set_nanos(50'000'001);
  EXPECT_EQ(limits_of(limits).bank, 10s);
  EXPECT_EQ(limits_of(limits).margin, 50ms + 1ns);
}

TEST(BackOff, DoublesUpToALimitAndDrawsFromTheUpperHalf) {
  for (const double drawn : {0.0, 0.5}) {
    BackOff waits{200ms, 5s, [drawn] { return drawn; }};
    for (const auto longest : {200ms, 400ms, 800ms, 1600ms, 3200ms, 5000ms, 5000ms}) {
      EXPECT_EQ(waits.wait(0s), longest / 2 + std::chrono::duration_cast<Clock::duration>(longest / 2 * drawn));
    }
    EXPECT_EQ(waits.wait(1min), 1min);
    waits.reset();
    EXPECT_LE(waits.wait(0s), 200ms);
  }
}

std::string details(const std::string& type, const std::string& domain, const std::string& reason,
                    const std::string& retry_seconds = "") {
  errors::ErrorInfo info;
  info.set_domain(domain);
  info.set_reason(reason);
  if (!retry_seconds.empty()) {
    (*info.mutable_metadata())["retry_seconds"] = retry_seconds;
  }
  errors::Status status;
  status.add_details()->set_type_url("type.googleapis.com/google.rpc.Help");
  auto& detail = *status.add_details();
  detail.set_type_url("type.googleapis.com/" + type);
  detail.set_value(info.SerializeAsString());
  return status.SerializeAsString();
}

Ending ending(int status, const std::string& reason, const std::string& retry_seconds = "") {
  return ending_of(status, "no", details("google.rpc.ErrorInfo", "kitumaija", reason, retry_seconds));
}

TEST(Ending, IsFinalByItsReason) {
  for (const auto* reason : {"REPLACED", "FLOODING", "FRAME_TOO_LARGE", "BOT_VERSION_FROZEN"}) {
    EXPECT_FALSE(ending(grpc::UNAVAILABLE, reason).again()) << reason;
  }
  for (const auto* reason : {"DRAINING", "NOT_READING", "SILENT", "TOO_MANY_REPLACEMENTS", "INTERNAL"}) {
    EXPECT_TRUE(ending(grpc::INVALID_ARGUMENT, reason).again()) << reason;
  }
}

TEST(Ending, IsFinalByItsStatusWhereTheReasonIsNotKnown) {
  for (const auto status : {grpc::UNAUTHENTICATED, grpc::PERMISSION_DENIED, grpc::INVALID_ARGUMENT,
                            grpc::FAILED_PRECONDITION, grpc::UNIMPLEMENTED}) {
    EXPECT_FALSE(ending(status, "NEWER_THAN_THIS_BOT").again());
    EXPECT_FALSE(ending_of(status, "no", "").again());
  }
  for (const auto status : {grpc::OK, grpc::UNAVAILABLE, grpc::ABORTED, grpc::INTERNAL, grpc::RESOURCE_EXHAUSTED}) {
    EXPECT_TRUE(ending_of(status, "no", "").again());
  }
}

TEST(Ending, ReadsOnlyTheErrorInfoOfThisServer) {
  EXPECT_EQ(ending(grpc::ABORTED, "REPLACED").reason, "REPLACED");
  EXPECT_EQ(ending_of(grpc::ABORTED, "no", details("google.rpc.ErrorInfo", "a.proxy", "REPLACED")).reason, "");
  EXPECT_EQ(ending_of(grpc::ABORTED, "no", details("google.rpc.BadRequest", "kitumaija", "REPLACED")).reason, "");
  EXPECT_EQ(ending_of(grpc::ABORTED, "no", "\xff not a message").reason, "");
}

TEST(Ending, WaitsAsLongAsTheServerWants) {
  EXPECT_EQ(ending(grpc::RESOURCE_EXHAUSTED, "TOO_MANY_REPLACEMENTS", "1.5").retry_after(), 1500ms);
  for (const auto* text : {"", "soon", "-1", "nan"}) {
    EXPECT_EQ(ending(grpc::RESOURCE_EXHAUSTED, "TOO_MANY_REPLACEMENTS", text).retry_after(), 0s) << text;
  }
  EXPECT_EQ(ending(grpc::RESOURCE_EXHAUSTED, "TOO_MANY_REPLACEMENTS", "1e300").retry_after(), 24h);
}

TEST(Outcome, HasTheExitCodeOfAllLanguages) {
  EXPECT_EQ(exit_code(Left{}), 0);
  EXPECT_EQ(exit_code(WrongSetting{}), 2);
  EXPECT_EQ(exit_code(Unreachable{}), 3);
  EXPECT_EQ(exit_code(Refused{}), 4);
}

v1::BotMessage goodbye(std::size_t bytes) {
  v1::BotMessage message;
  message.mutable_goodbye()->set_reason(std::string(bytes, 'x'));
  return message;
}

TEST(Outbox, PacksWhatWaitsIntoFramesThatTheServerTakes) {
  Outbox outbox;
  outbox.put({goodbye(30'000), goodbye(30'000), goodbye(10'000), goodbye(1)});
  outbox.finish();
  const auto first = outbox.frame();
  const auto second = outbox.frame();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->messages_size(), 2);
  EXPECT_EQ(second->messages_size(), 2);
  EXPECT_LE(first->ByteSizeLong(), largest_frame);
  EXPECT_FALSE(outbox.frame());
}

TEST(Outbox, SaysNothingOnAStreamThatIsOver) {
  Outbox outbox;
  outbox.put({goodbye(1)});
  outbox.close();
  outbox.put({goodbye(2)});
  EXPECT_FALSE(outbox.frame());
}

Dial dial(const std::string& address, const std::string& ca_file = "") {
  return std::get<Dial>(dial_of({.address = address, .token = "secret", .ca_file = ca_file}));
}

std::string wrong(const std::string& address, const std::string& token, const std::string& ca_file = "") {
  return std::get<WrongSetting>(dial_of({.address = address, .token = token, .ca_file = ca_file})).message;
}

TEST(Options, SayWhereToDialAndWhetherByTls) {
  for (const auto* address : {"host:1", "http://host:1", "http://host:1/"}) {
    EXPECT_EQ(dial(address).target, "host:1");
    EXPECT_FALSE(dial(address).secure);
  }
  EXPECT_EQ(dial("https://host:1/").target, "host:1");
  EXPECT_TRUE(dial("https://host:1").secure);
}

TEST(Options, SwitchTlsOnWithCertificatesToTrust) {
  const auto path = testing::TempDir() + "kitumaija_ca.pem";
  const std::string certificate = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
  std::ofstream{path} << certificate;
  EXPECT_TRUE(dial("host:1", path).secure);
  EXPECT_EQ(dial("host:1", path).certificates, certificate);
}

TEST(Options, NameTheSettingThatIsMissingOrWrong) {
  EXPECT_NE(wrong("", "secret").find("KITUMAIJA_ADDRESS"), std::string::npos);
  EXPECT_NE(wrong("https://", "secret").find("KITUMAIJA_ADDRESS"), std::string::npos);
  EXPECT_NE(wrong("host:1", "").find("KITUMAIJA_TOKEN"), std::string::npos);
  EXPECT_NE(wrong("host:1", "secret", "/nowhere").find("KITUMAIJA_TLS_CA"), std::string::npos);
  EXPECT_NE(wrong("host:1", "secret", "/dev/null").find("KITUMAIJA_TLS_CA"), std::string::npos);
}

}  // namespace
}  // namespace kitumaija
