#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "kitumaija/cards.hpp"

namespace kitumaija {

/// Play a card of the hand: the catch card, the free card or the lead, by the phase.
struct Play {
  Card card;
  friend bool operator==(const Play&, const Play&) = default;
};

/// Turn the top card of the stock.
struct TurnCard {
  friend bool operator==(const TurnCard&, const TurnCard&) = default;
};

/// Pick up this many cards from the top of the pile.
struct Take {
  std::uint32_t cards = 0;
  friend bool operator==(const Take&, const Take&) = default;
};

/// Pass the lead.
struct PassLead {
  friend bool operator==(const PassLead&, const PassLead&) = default;
};

/// One action of a player.
using Action = std::variant<Play, TurnCard, Take, PassLead>;

/// An action as the guide writes it: 8H, turn, take 3, pass.
std::string to_string(const Action& action);

}  // namespace kitumaija
