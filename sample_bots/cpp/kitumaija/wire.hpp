#pragma once

#include <memory>
#include <vector>

#include "kitumaija/bot.hpp"
#include "kitumaija/v1/arena.pb.h"

/// Messages of the protocol to a bot's values and back: the one place that knows both. What is newer than this client
/// becomes the unknown value of its kind, and never an error.
namespace kitumaija {

v1::Action message_of(const Action& action);

/// What is legal in the rules' order: cards, turn, take the smaller amount first, pass. Unknown cards are left out.
std::vector<Action> legal_actions(const v1::LegalActions& legal);

View view_of(const v1::View& view);
Event event_of(const v1::Event& event);
Limits limits_of(const v1::Limits& limits);

/// A match as it was, with what its Seating tells.
Match seated(Match match, const v1::Seating& seating);

/// A decision that came at the time `arrived`. Its events are still to be given to it.
Turn turn_of(std::shared_ptr<const Match> match, const v1::Decision& asked, Clock::time_point arrived);

}  // namespace kitumaija
