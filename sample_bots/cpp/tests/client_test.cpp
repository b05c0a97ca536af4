// The client without a network: what it says to what it hears.
#include <gtest/gtest.h>
#include <openssl/sha.h>

#include <array>
#include <future>

#include "playing.hpp"

namespace kitumaija {
namespace {

TEST(Client, SaysHelloFirstAndNamesTheMatchesThatItHas) {
  Played played{first_legal};
  ASSERT_EQ(played.opening.size(), 1U);
  const auto& hello = played.opening[0].hello();
  EXPECT_EQ(hello.language(), "cpp");
  EXPECT_EQ(hello.bot_version(), "1");
  EXPECT_EQ(hello.capacity(), 4U);
  EXPECT_EQ(hello.match_ids_size(), 0);
  played.begin("m");
  const auto again = played.reopen({"m"});
  ASSERT_EQ(again.match_ids_size(), 1);
  EXPECT_EQ(again.match_ids(0), "m");
}

TEST(Client, NamesAsManyMatchesAsAHelloTakes) {
  Played played{first_legal};
  for (int match = 0; match <= 256; ++match) {
    played.hear({said::offer(std::to_string(match))});
  }
  EXPECT_EQ(played.reopen({}).match_ids_size(), 256);
}

TEST(Client, IsReadyOnTheStreamThatOffersTheMatchAndOnNoOther) {
  Played played{first_legal};
  EXPECT_TRUE(played.hear({said::offer("m")}).empty());
  played.reopen({"m"});
  EXPECT_TRUE(played.think().empty());
  const auto ready = played.hear({said::offer("m")});
  ASSERT_EQ(ready.size(), 1U);
  EXPECT_EQ(ready[0].ready().match_id(), "m");
}

TEST(Client, AnswersAllMatchesAndPingsWhileOneBotThinks) {
  std::promise<void> released;
  const auto release = released.get_future().share();
  Played played{memoryless([release](const Turn& turn) {
    if (turn.match->id == "slow") {
      release.wait();
    }
    return turn.legal.back();
  })};
  for (const auto* match : {"slow", "a", "b"}) {
    played.begin(match);
  }
  const auto pong =
      played.hear({said::ask("slow", 1, {1, 2}), said::ask("a", 1, {3, 4}), said::ask("b", 1, {5, 6}), said::ping(9)});
  ASSERT_EQ(pong.size(), 1U);
  EXPECT_EQ(pong[0].pong().nonce(), 9U);
  std::map<std::string, int> answers;
  for (int answer = 0; answer < 2; ++answer) {
    const auto said = played.think().at(0).answer();
    answers[said.match_id()] = said.action().play();
  }
  released.set_value();
  const auto said = played.think().at(0).answer();
  answers[said.match_id()] = said.action().play();
  EXPECT_EQ(answers, (std::map<std::string, int>{{"slow", 2}, {"a", 4}, {"b", 6}}));
}

TEST(Client, SendsAnAnswerAgainUnchangedUntilItIsAccepted) {
  Played played{first_legal};
  played.begin("m");
  played.hear({said::ask("m", 1, {33})});
  const auto before = played.think().at(0).answer();
  EXPECT_TRUE(before.has_think_time_us());
  played.reopen({"m"});
  const auto again = played.hear({said::sync("m", 0), said::ask("m", 1, {1})});
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].answer().SerializeAsString(), before.SerializeAsString());
  EXPECT_TRUE(played.hear({said::accepted("m", 1)}).empty());
  played.reopen({"m"});
  EXPECT_TRUE(played.hear({said::sync("m", 0)}).empty());
}

TEST(Client, LetsABotThinkOnWhenTheLineBreaks) {
  std::promise<void> released;
  const auto release = released.get_future().share();
  std::atomic<int> calls{0};
  Played played{memoryless([&, release](const Turn& turn) {
    ++calls;
    release.wait();
    return turn.legal.front();
  })};
  played.begin("m");
  played.hear({said::ask("m", 1, {33})});
  played.reopen({"m"});
  released.set_value();
  EXPECT_TRUE(played.think().empty()) << "nothing was asked on this stream yet";
  const auto answers = played.hear({said::sync("m", 0), said::ask("m", 1, {33})});
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].answer().decision_id(), 1U);
  EXPECT_EQ(calls, 1);
}

TEST(Client, AsksOnceForEventsThatAreMissingAndTellsABotEachEventOnce) {
  std::promise<std::vector<std::uint32_t>> told;
  std::vector<std::uint32_t> numbers;
  Played played{memoryless([&](const Turn& turn) {
    for (const auto& event : turn.events) {
      numbers.push_back(event.count);
    }
    if (turn.decision_id == 3) {
      told.set_value(numbers);
    }
    return turn.legal.front();
  })};
  played.begin("m");
  played.hear({said::ask("m", 1, {1}, 0, 3)});
  EXPECT_EQ(played.think().at(0).answer().decision_id(), 1U);
  const auto resync = played.hear({said::ask("m", 2, {1}, 5, 2), said::ask("m", 2, {1}, 5, 2)});
  ASSERT_EQ(resync.size(), 1U);
  EXPECT_EQ(resync[0].resync().match_id(), "m");
  played.hear({said::sync("m", 7), said::ask("m", 2, {1}, 7)});
  EXPECT_EQ(played.think().at(0).answer().decision_id(), 2U);
  played.hear({said::ask("m", 3, {1}, 7, 1)});
  EXPECT_EQ(played.think().at(0).answer().decision_id(), 3U);
  EXPECT_EQ(told.get_future().get(), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(Client, KnowsWhoSitsWhereAfterItWasStartedAnew) {
  std::promise<std::size_t> players;
  Played played{memoryless([&](const Turn& turn) {
    players.set_value(turn.match->players.size());
    return turn.legal.front();
  })};
  played.hear({said::sync("m", 4), said::ask("m", 2, {1}, 4)});
  EXPECT_TRUE(played.think().empty());  // it is seated, so nobody waits for a Ready
  EXPECT_EQ(played.think().at(0).answer().decision_id(), 2U);
  EXPECT_EQ(players.get_future().get(), 1U);
}

TEST(Client, AnswersARefusalFromWhatIsLegalAsLongAsTheDecisionIsOpen) {
  Played played{first_legal};
  played.begin("m");
  played.hear({said::ask("m", 1, {1})});
  played.think();
  const auto again = played.hear({said::refusal("m", 1, {3, 5})});
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].answer().action().take(), 3U);
  EXPECT_TRUE(played.hear({said::refusal("m", 1, {})}).empty());
  EXPECT_TRUE(played.hear({said::refusal("m", 1, {3})}).empty()) << "it was decided";
  EXPECT_TRUE(played.hear({said::refusal("m", 7, {3}), said::refusal("another", 1, {3})}).empty());
}

TEST(Client, ForgetsAMatchWhoseEndDoesNotCome) {
  Played played{first_legal};
  played.begin("m");
  EXPECT_EQ(played.reopen({}).match_ids_size(), 1);
  EXPECT_EQ(played.reopen({}).match_ids_size(), 1);
  EXPECT_EQ(played.reopen({}).match_ids_size(), 0);
}

TEST(Client, IgnoresWhatItDoesNotKnowAndIsSilentWhereNothingElseIsLegal) {
  Played played{first_legal};
  played.begin("m");
  constexpr int newer = 99;
  EXPECT_TRUE(played.hear({v1::ServerMessage{}, said::ask("m", 1, {newer})}).empty());
  EXPECT_TRUE(played.logged("too old"));
  played.hear({said::ask("m", 2, {newer, v1::CARD_HEARTS_EIGHT})});
  EXPECT_EQ(played.think().at(0).answer().action().play(), v1::CARD_HEARTS_EIGHT);
}

TEST(Client, SaysNothingAfterGoodbye) {
  Played played{first_legal};
  played.begin("m");
  played.hear({said::ask("m", 1, {1})});
  played.client.leave("asked to stop");
  const auto said = played.client.said();
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].goodbye().reason(), "asked to stop");
  EXPECT_TRUE(played.think().empty());
  EXPECT_TRUE(played.hear({said::ping(1)}).empty());
}

std::string sha256(const std::string& bytes) {
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> hash{};
  SHA256(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), hash.data());
  return {hash.begin(), hash.end()};
}

TEST(Client, RevealsTheEntropyThatItCommittedToAndNoOther) {
  Played played{first_legal};
  EXPECT_TRUE(played.hear({said::entropy(v1::ENTROPY_STEP_REVEAL, "master")}).empty()) << "it has committed to nothing";
  const auto committed = played.hear({said::entropy(v1::ENTROPY_STEP_COMMIT, "master")}).at(0).entropy();
  const auto again = played.hear({said::entropy(v1::ENTROPY_STEP_COMMIT, "master")}).at(0).entropy();
  EXPECT_EQ(again.value(), committed.value());
  EXPECT_TRUE(played.hear({said::entropy(v1::ENTROPY_STEP_REVEAL, "another")}).empty());
  EXPECT_TRUE(played.hear({said::entropy(v1::ENTROPY_STEP_UNSPECIFIED, "master")}).empty());
  const auto revealed = played.hear({said::entropy(v1::ENTROPY_STEP_REVEAL, "master")}).at(0).entropy();
  EXPECT_EQ(revealed.value(), std::string(32, '\1'));
  EXPECT_EQ(sha256(revealed.value()), committed.value());
  EXPECT_EQ(revealed.tournament_id(), "t");
}

TEST(Client, GivesNoEntropyWithoutASourceOfSecrets) {
  Played played{first_legal};
  played.has_secrets = false;
  EXPECT_TRUE(played.hear({said::entropy(v1::ENTROPY_STEP_COMMIT, "master")}).empty());
  EXPECT_TRUE(played.logged("no secret random bytes"));
}

}  // namespace
}  // namespace kitumaija
