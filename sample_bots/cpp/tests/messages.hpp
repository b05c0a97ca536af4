#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kitumaija/v1/arena.pb.h"

/// What a server says in a test.
namespace kitumaija::said {

inline v1::ServerMessage welcome(const std::vector<std::string>& matches = {}) {
  v1::ServerMessage message;
  auto& welcome = *message.mutable_welcome();
  welcome.set_bot_id("b");
  welcome.mutable_match_ids()->Add(matches.begin(), matches.end());
  return message;
}

inline v1::ServerMessage offer(const std::string& match) {
  v1::ServerMessage message;
  message.mutable_match_start()->set_match_id(match);
  message.mutable_match_start()->set_seats(2);
  return message;
}

/// A decision with these cards to play, and with as many events of a kind, the first of them numbered.
inline v1::ServerMessage ask(const std::string& match, std::uint32_t decision, const std::vector<int>& cards,
                             std::uint32_t first_event = 0, std::uint32_t events = 0) {
  v1::ServerMessage message;
  auto& asked = *message.mutable_decision();
  asked.set_match_id(match);
  asked.set_decision_id(decision);
  for (const int card : cards) {
    asked.mutable_legal()->add_play(static_cast<v1::Card>(card));
  }
  asked.set_first_event(first_event);
  for (std::uint32_t number = 0; number < events; ++number) {
    asked.add_events()->set_count(first_event + number);
  }
  asked.set_time_left_us(60'000'000);
  return message;
}

/// All events of a match, each with its number as its count.
inline v1::ServerMessage sync(const std::string& match, std::uint32_t events) {
  v1::ServerMessage message;
  auto& synced = *message.mutable_match_sync();
  synced.set_match_id(match);
  synced.mutable_seating()->set_match_id(match);
  synced.mutable_seating()->add_players()->set_bot_id("b");
  for (std::uint32_t number = 0; number < events; ++number) {
    synced.add_events()->set_count(number);
  }
  return message;
}

inline v1::ServerMessage accepted(const std::string& match, std::uint32_t decision) {
  v1::ServerMessage message;
  message.mutable_accepted()->set_match_id(match);
  message.mutable_accepted()->set_decision_id(decision);
  return message;
}

/// A refusal; the decision is still open if an amount may be taken.
inline v1::ServerMessage refusal(const std::string& match, std::uint32_t decision,
                                 const std::vector<std::uint32_t>& take) {
  v1::ServerMessage message;
  auto& refused = *message.mutable_refusal();
  refused.set_match_id(match);
  refused.set_decision_id(decision);
  if (!take.empty()) {
    refused.mutable_legal()->mutable_take()->Add(take.begin(), take.end());
    refused.set_retries_left(1);
  }
  return message;
}

inline v1::ServerMessage end(const std::string& match) {
  v1::ServerMessage message;
  message.mutable_match_end()->set_match_id(match);
  return message;
}

inline v1::ServerMessage ping(std::uint64_t nonce) {
  v1::ServerMessage message;
  message.mutable_ping()->set_nonce(nonce);
  return message;
}

inline v1::ServerMessage entropy(v1::EntropyStep step, const std::string& master) {
  v1::ServerMessage message;
  auto& request = *message.mutable_entropy_request();
  request.set_tournament_id("t");
  request.set_step(step);
  request.set_master_commitment(master);
  return message;
}

}  // namespace kitumaija::said
