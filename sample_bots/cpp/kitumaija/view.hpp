#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kitumaija/cards.hpp"

namespace kitumaija {

/// What a mover is asked for, by the protocol's numbers.
enum class Phase : std::uint8_t {
  unknown,
  catch_card,  ///< catch the top card, turn the luck card, or pick up where that is open
  free_card,   ///< play the free card, or turn it where that is open
  pick_up,     ///< choose how many cards to pick up
  lead,        ///< lead a card to the empty pile
};

/// The name of a phase, as the guide writes it.
std::string_view to_string(Phase phase);

/// What one seat may know of the game now. Remembering what lies under the top card is the bot's own skill.
struct View {
  std::uint32_t seat = 0;  ///< this seat, from 0
  std::uint32_t seats = 0;
  Phase phase = Phase::unknown;
  std::uint32_t mover = 0;
  std::vector<Card> hand;  ///< by suit, then rank upwards
  Card top;                ///< of the pile; no card where it is empty
  std::uint32_t pile_size = 0;
  std::uint32_t stock_size = 0;
  std::vector<std::uint32_t> hand_sizes;  ///< by seat; empty where the sizes are not shown
  std::vector<std::uint32_t> out;         ///< the seats that are out, in that order
  bool luck = false;                      ///< the catch of this turn was a luck card
  bool maija_pending = false;             ///< the mover must pick up because of the queen of spades
  std::uint32_t turns = 0;                ///< how many turns have ended
};

/// What kind of thing happened, by the protocol's numbers; it says which fields of an Event are set (game.proto).
enum class EventKind : std::uint8_t {
  unknown,  ///< newer than this client: counted, and to be skipped
  dealt,
  start_card_turned,
  maija_returned,
  card_caught,
  luck_turned,
  free_played,
  free_turned,
  card_led,
  passed,
  cards_drawn,
  cards_picked_up,
  went_out,
  game_ended,
};

/// Why a game of cards ended, by the protocol's numbers.
enum class Termination : std::uint8_t { unknown, finished, repetition, turn_cap };

/// One thing that happened, as this seat may know it.
struct Event {
  EventKind kind = EventKind::unknown;
  std::uint32_t seat = 0;
  Card card;          ///< where it is public
  bool fits = false;  ///< a luck card caught
  std::uint32_t count = 0;
  std::vector<Card> cards;  ///< their faces, where this seat may see them
  std::uint32_t place = 0;
  Termination termination = Termination::unknown;
  std::vector<std::uint32_t> places;  ///< by seat, from 1
};

}  // namespace kitumaija
