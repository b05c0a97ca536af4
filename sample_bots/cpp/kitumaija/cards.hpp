#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kitumaija {

/// A suit of the pack, in the order in which cards are listed.
enum class Suit : std::uint8_t { clubs, diamonds, hearts, spades };

/// A rank, from the lowest.
enum class Rank : std::uint8_t { two, three, four, five, six, seven, eight, nine, ten, jack, queen, king, ace };

/// One of the 52 cards, by the protocol's number: 1 + 13 × suit + rank. Made by default it is no card: the top of an
/// empty pile, or a card that this client does not know. Cards are ordered as the protocol lists them.
class Card {
 public:
  constexpr Card() = default;
  constexpr Card(Suit suit, Rank rank)
      : number_{static_cast<std::uint8_t>(1 + ranks * static_cast<int>(suit) + static_cast<int>(rank))} {}

  /// The card with the protocol's number; no card where there is none.
  static constexpr Card numbered(int number) {
    Card card;
    if (1 <= number && number <= suits * ranks) {
      card.number_ = static_cast<std::uint8_t>(number);
    }
    return card;
  }

  [[nodiscard]] constexpr int number() const { return number_; }
  [[nodiscard]] constexpr bool known() const { return number_ != 0; }
  /// The suit of a known card.
  [[nodiscard]] constexpr Suit suit() const { return static_cast<Suit>((number_ - 1) / ranks); }
  /// The rank of a known card.
  [[nodiscard]] constexpr Rank rank() const { return static_cast<Rank>((number_ - 1) % ranks); }

  friend constexpr auto operator<=>(const Card&, const Card&) = default;

 private:
  static constexpr int suits = 4;
  static constexpr int ranks = 13;
  std::uint8_t number_ = 0;
};

/// The queen of spades.
inline constexpr Card maija{Suit::spades, Rank::queen};

/// A card as its rank and the initial of its suit, such as 8H; no card is "-".
std::string to_string(Card card);

/// Reads what to_string writes of a known card; nothing for any other text.
std::optional<Card> parse_card(std::string_view text);

}  // namespace kitumaija
