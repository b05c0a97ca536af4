// The worked examples that all languages share.
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>
#include <openssl/sha.h>

#include <array>
#include <fstream>
#include <iterator>
#include <sstream>

#include "kitumaija/wire.hpp"

namespace kitumaija {
namespace {

namespace protobuf = google::protobuf;
using protobuf::util::MessageDifferencer;

using Fields = protobuf::Map<std::string, protobuf::Value>;

protobuf::ListValue examples() {
  std::ifstream file{VECTORS};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  protobuf::ListValue read;
  const auto status = protobuf::util::JsonStringToMessage(text, &read);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_GT(read.values_size(), 0) << VECTORS;
  return read;
}

std::string bytes_of(const std::string& hexadecimal) {
  std::string bytes;
  for (std::size_t at = 0; at < hexadecimal.size(); at += 2) {
    bytes.push_back(static_cast<char>(std::stoi(hexadecimal.substr(at, 2), nullptr, 16)));
  }
  return bytes;
}

std::string written(const protobuf::Message& message) {
  std::string bytes;
  protobuf::io::StringOutputStream stream{&bytes};
  protobuf::io::CodedOutputStream coded{&stream};
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

template <typename Frame>
void expect_one_frame(const Fields& example) {
  std::string json;
  ASSERT_TRUE(protobuf::util::MessageToJsonString(example.at("json"), &json).ok());
  Frame from_json;
  const auto status = protobuf::util::JsonStringToMessage(json, &from_json);
  ASSERT_TRUE(status.ok()) << status.ToString();
  const auto bytes = bytes_of(example.at("bytes").string_value());
  Frame from_bytes;
  ASSERT_TRUE(from_bytes.ParseFromString(bytes));
  from_bytes.DiscardUnknownFields();
  EXPECT_TRUE(MessageDifferencer::Equals(from_bytes, from_json)) << from_bytes.DebugString();
  if (!example.contains("newer")) {
    EXPECT_EQ(written(from_json), bytes);
  }
}

TEST(Examples, AreTheSameFrameAsBytesAndAsJson) {
  const auto all = examples();
  for (const auto& value : all.values()) {
    const auto& example = value.struct_value().fields();
    SCOPED_TRACE(example.at("name").string_value());
    if (example.at("frame").string_value() == "PlayRequest") {
      expect_one_frame<v1::PlayRequest>(example);
    } else {
      expect_one_frame<v1::PlayResponse>(example);
    }
  }
}

/// What a message means, put together in the words of the examples.
class Meaning {
 public:
  explicit Meaning(const std::string& is) { (*this)("is", is); }

  Meaning& operator()(const std::string& key, const std::string& text) {
    field(key).set_string_value(text);
    return *this;
  }
  Meaning& number(const std::string& key, std::int64_t value) {
    field(key).set_number_value(static_cast<double>(value));
    return *this;
  }
  Meaning& flag(const std::string& key, bool value) {
    field(key).set_bool_value(value);
    return *this;
  }
  template <typename Values>
  Meaning& texts(const std::string& key, const Values& values) {
    auto& list = *field(key).mutable_list_value();
    for (const auto& value : values) {
      list.add_values()->set_string_value(to_string(value));
    }
    return *this;
  }
  template <typename Values>
  Meaning& numbers(const std::string& key, const Values& values) {
    auto& list = *field(key).mutable_list_value();
    for (const auto value : values) {
      list.add_values()->set_number_value(static_cast<double>(value));
    }
    return *this;
  }
  [[nodiscard]] const protobuf::Struct& fields() const { return fields_; }

 private:
  protobuf::Value& field(const std::string& key) { return (*fields_.mutable_fields())[key]; }
  protobuf::Struct fields_;
};

std::string action_text(const v1::Action& action) {
  switch (action.action_case()) {
    case v1::Action::kPlay:
      return to_string(Card::numbered(action.play()));
    case v1::Action::kTurn:
      return to_string(Action{TurnCard{}});
    case v1::Action::kTake:
      return to_string(Action{Take{action.take()}});
    case v1::Action::kPassLead:
      return to_string(Action{PassLead{}});
    case v1::Action::ACTION_NOT_SET:
      break;
  }
  return {};
}

Meaning meaning(const v1::BotMessage& message, const Fields& wanted) {
  switch (message.message_case()) {
    case v1::BotMessage::kHello:
      return Meaning{"hello"}.number("capacity", message.hello().capacity());
    case v1::BotMessage::kReady:
      return Meaning{"ready"}("match", message.ready().match_id());
    case v1::BotMessage::kAnswer:
      return Meaning{"answer"}.number("decision", message.answer().decision_id())(
          "action", action_text(message.answer().action()));
    case v1::BotMessage::kPong:
      return Meaning{"pong"};
    case v1::BotMessage::kResync:
      return Meaning{"resync"};
    case v1::BotMessage::kGoodbye:
      return Meaning{"goodbye"};
    case v1::BotMessage::kEntropy: {
      Meaning means{"entropy"};
      if (wanted.contains("sha256_of")) {
        const auto& committed = wanted.at("sha256_of").string_value();
        const auto bytes = bytes_of(committed);
        std::array<std::uint8_t, SHA256_DIGEST_LENGTH> hash{};
        SHA256(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), hash.data());
        if (std::string(hash.begin(), hash.end()) == message.entropy().value()) {
          means("sha256_of", committed);
        }
      }
      return means;
    }
    default:
      return Meaning{"nothing"};
  }
}

Meaning meaning(const v1::Decision& asked) {
  const Clock::time_point now{};
  const auto turn = turn_of(std::make_shared<const Match>(), asked, now);
  return Meaning{"decision"}
      .number("decision", turn.decision_id)("phase", std::string{to_string(turn.phase)})
      .number("seat", turn.seat)
      .texts("hand", turn.hand)("top", to_string(turn.top))
      .texts("legal", turn.legal)
      .numbers("events", std::array{static_cast<int>(asked.first_event()), asked.events_size()})
      .number("time_left_us", turn.time_left.count())
      .number("think_at_most_us", std::chrono::duration_cast<Microseconds>(turn.deadline - now).count());
}

Meaning meaning(const v1::ServerMessage& message, const Fields& /*wanted*/) {
  switch (message.message_case()) {
    case v1::ServerMessage::kWelcome:
      return Meaning{"welcome"};
    case v1::ServerMessage::kMatchStart:
      return Meaning{"match_start"}("match", message.match_start().match_id());
    case v1::ServerMessage::kSeating:
      return Meaning{"seating"}("match", message.seating().match_id());
    case v1::ServerMessage::kMatchSync:
      return Meaning{"match_sync"}("match", message.match_sync().match_id());
    case v1::ServerMessage::kDecision:
      return meaning(message.decision());
    case v1::ServerMessage::kAccepted:
      return Meaning{"accepted"}.number("decision", message.accepted().decision_id());
    case v1::ServerMessage::kRefusal:
      return Meaning{"refusal"}
          .number("decision", message.refusal().decision_id())
          .flag("open", message.refusal().has_legal())
          .texts("legal", legal_actions(message.refusal().legal()));
    case v1::ServerMessage::kMatchEnd:
      return Meaning{"match_end"}("match", message.match_end().match_id())
          .numbers("places", message.match_end().places());
    case v1::ServerMessage::kPing:
      return Meaning{"ping"};
    case v1::ServerMessage::kDrain:
      return Meaning{"drain"};
    case v1::ServerMessage::kEntropyRequest:
      return Meaning{"entropy_request"};
    default:
      return Meaning{"nothing"};
  }
}

template <typename Frame>
void expect_its_meaning(const Fields& example) {
  Frame frame;
  ASSERT_TRUE(frame.ParseFromString(bytes_of(example.at("bytes").string_value())));
  const auto& wanted = example.at("meaning").list_value();
  ASSERT_EQ(frame.messages_size(), wanted.values_size());
  for (int at = 0; at < frame.messages_size(); ++at) {
    const auto& want = wanted.values(at).struct_value();
    const auto got = meaning(frame.messages(at), want.fields());
    EXPECT_TRUE(MessageDifferencer::Equals(got.fields(), want))
        << "got " << got.fields().ShortDebugString() << "\nwant " << want.ShortDebugString();
  }
}

TEST(Examples, MeanWhatTheySay) {
  const auto all = examples();
  for (const auto& value : all.values()) {
    const auto& example = value.struct_value().fields();
    SCOPED_TRACE(example.at("name").string_value());
    if (example.at("frame").string_value() == "PlayRequest") {
      expect_its_meaning<v1::PlayRequest>(example);
    } else {
      expect_its_meaning<v1::PlayResponse>(example);
    }
  }
}

TEST(Examples, OfEveryActionAreWrittenAsTheyAreRead) {
  for (const Action& action : {Action{Play{maija}}, Action{TurnCard{}}, Action{Take{3}}, Action{PassLead{}}}) {
    EXPECT_EQ(action_text(message_of(action)), to_string(action));
  }
}

}  // namespace
}  // namespace kitumaija
