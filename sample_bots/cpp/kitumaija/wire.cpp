#include "kitumaija/wire.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace kitumaija {

namespace {

struct WriteAction {
  v1::Action& message;
  void operator()(const Play& play) const { message.set_play(static_cast<v1::Card>(play.card.number())); }
  void operator()(const TurnCard& /*turn*/) const { message.mutable_turn(); }
  void operator()(const Take& take) const { message.set_take(take.cards); }
  void operator()(const PassLead& /*pass*/) const { message.mutable_pass_lead(); }
};

template <typename Cards>
std::vector<Card> cards_of(const Cards& cards) {
  std::vector<Card> read;
  read.reserve(static_cast<std::size_t>(cards.size()));
  std::transform(cards.begin(), cards.end(), std::back_inserter(read), Card::numbered);
  return read;
}

/// An enum of ours for one of theirs with the same numbers: the first value, unknown, for those after `last`.
template <typename Ours>
Ours known_or_first(int number, Ours last) {
  return 0 <= number && number <= static_cast<int>(last) ? static_cast<Ours>(number) : Ours{};
}

std::chrono::nanoseconds duration_of(const google::protobuf::Duration& duration) {
  return std::chrono::seconds{duration.seconds()} + std::chrono::nanoseconds{duration.nanos()};
}

}  // namespace

v1::Action message_of(const Action& action) {
  v1::Action message;
  std::visit(WriteAction{message}, action);
  return message;
}

std::vector<Action> legal_actions(const v1::LegalActions& legal) {
  std::vector<Action> actions;
  for (const Card card : cards_of(legal.play())) {
    if (card.known()) {
      actions.emplace_back(Play{card});
    }
  }
  if (legal.turn()) {
    actions.emplace_back(TurnCard{});
  }
  for (const auto amount : legal.take()) {
    actions.emplace_back(Take{amount});
  }
  if (legal.pass_lead()) {
    actions.emplace_back(PassLead{});
  }
  return actions;
}

View view_of(const v1::View& view) {
  return {
      .seat = view.seat(),
      .seats = view.seats(),
      .phase = known_or_first(view.phase(), Phase::lead),
      .mover = view.mover(),
      .hand = cards_of(view.hand()),
      .top = Card::numbered(view.top()),
      .pile_size = view.pile_size(),
      .stock_size = view.stock_size(),
      .hand_sizes = {view.hand_sizes().begin(), view.hand_sizes().end()},
      .out = {view.out().begin(), view.out().end()},
      .luck = view.luck(),
      .maija_pending = view.maija_pending(),
      .turns = view.turns(),
  };
}

Event event_of(const v1::Event& event) {
  return {
      .kind = known_or_first(event.kind(), EventKind::game_ended),
      .seat = event.seat(),
      .card = Card::numbered(event.card()),
      .fits = event.fits(),
      .count = event.count(),
      .cards = cards_of(event.cards()),
      .place = event.place(),
      .termination = known_or_first(event.termination(), Termination::turn_cap),
      .places = {event.places().begin(), event.places().end()},
  };
}

Limits limits_of(const v1::Limits& limits) {
  return {
      .startup = duration_of(limits.startup()),
      .per_decision = duration_of(limits.per_decision()),
      .bank = duration_of(limits.bank()),
      .increment = duration_of(limits.increment()),
      .margin = duration_of(limits.margin()),
      .grace = duration_of(limits.grace()),
      .match_cap = duration_of(limits.match_cap()),
  };
}

Match seated(Match match, const v1::Seating& seating) {
  match.seat = seating.seat();
  match.players.clear();
  for (const auto& player : seating.players()) {
    match.players.push_back({player.seat(), player.bot_id(), player.display_name()});
  }
  match.seats = static_cast<std::uint32_t>(match.players.size());
  match.options = std::make_shared<const v1::GameOptions>(seating.options());
  return match;
}

Turn turn_of(std::shared_ptr<const Match> match, const v1::Decision& asked, Clock::time_point arrived) {
  const Microseconds left{asked.time_left_us()};
  const Microseconds trip{asked.round_trip_us()};
  Turn turn;
  static_cast<View&>(turn) = view_of(asked.view());
  turn.match = std::move(match);
  turn.decision_id = asked.decision_id();
  turn.legal = legal_actions(asked.legal());
  turn.time_left = left;
  turn.bank = Microseconds{asked.bank_us()};
  turn.last_used = Microseconds{asked.last_used_us()};
  turn.round_trip = trip;
  turn.deadline = arrived + (left - trip);  // the way here and the way back are on the clock too
  return turn;
}

}  // namespace kitumaija
