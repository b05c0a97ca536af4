#include "kitumaija/cards.hpp"

#include <cstddef>

namespace kitumaija {

namespace {
constexpr std::string_view rank_letters = "23456789TJQKA";
constexpr std::string_view suit_letters = "CDHS";
}  // namespace

std::string to_string(Card card) {
  if (!card.known()) {
    return "-";
  }
  return {rank_letters[static_cast<std::size_t>(card.rank())], suit_letters[static_cast<std::size_t>(card.suit())]};
}

std::optional<Card> parse_card(std::string_view text) {
  if (text.size() != 2) {
    return std::nullopt;
  }
  const auto rank = rank_letters.find(text[0]);
  const auto suit = suit_letters.find(text[1]);
  if (rank == std::string_view::npos || suit == std::string_view::npos) {
    return std::nullopt;
  }
  return Card{static_cast<Suit>(suit), static_cast<Rank>(rank)};
}

}  // namespace kitumaija
