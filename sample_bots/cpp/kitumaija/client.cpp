#include "kitumaija/client.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "kitumaija/wire.hpp"

namespace kitumaija {

namespace {

/// How many matches a Hello may name.
constexpr int most_named = 256;

}  // namespace

Client::Client(BotMaker make, Introduction introduction, Surroundings around, std::function<void(Result)> report)
    : make_{std::move(make)},
      introduction_{std::move(introduction)},
      around_{std::move(around)},
      report_{std::move(report)},
      shares_{around_} {}

void Client::open() {
  ++stream_;
  welcomed_ = false;
  outbox_.clear();
  auto& hello = *next().mutable_hello();
  hello.set_sdk("kitumaija-cpp-sample/1");
  hello.set_language("cpp");
  hello.set_bot_version(introduction_.bot_version);
  hello.set_capacity(introduction_.capacity);
  for (const auto& [match_id, game] : games_) {
    if (hello.match_ids_size() == most_named) {
      break;
    }
    hello.add_match_ids(match_id);
  }
}

void Client::hear(const v1::ServerMessage& message, Clock::time_point arrived) {
  if (left_) {
    return;
  }
  switch (message.message_case()) {
    case v1::ServerMessage::kWelcome:
      return on(message.welcome());
    case v1::ServerMessage::kMatchStart:
      return on(message.match_start());
    case v1::ServerMessage::kSeating:
      return on(message.seating());
    case v1::ServerMessage::kMatchSync:
      return on(message.match_sync());
    case v1::ServerMessage::kDecision:
      return on(message.decision(), arrived);
    case v1::ServerMessage::kAccepted:
      return on(message.accepted());
    case v1::ServerMessage::kRefusal:
      return on(message.refusal());
    case v1::ServerMessage::kMatchEnd:
      return on(message.match_end());
    case v1::ServerMessage::kEntropyRequest:
      return on(message.entropy_request());
    case v1::ServerMessage::kPing:
      return next().mutable_pong()->set_nonce(message.ping().nonce());
    case v1::ServerMessage::kDrain:
      return around_.log("the server is about to restart");
    case v1::ServerMessage::MESSAGE_NOT_SET:
      return;
  }
}

void Client::take(const Result& result) {
  if (!left_) {
    std::visit([this](const auto& reported) { on(reported); }, result);
  }
}

void Client::leave(std::string_view reason) {
  if (!left_) {
    next().mutable_goodbye()->set_reason(std::string{reason});
    left_ = true;
  }
}

std::vector<v1::BotMessage> Client::said() { return std::exchange(outbox_, {}); }

void Client::dismiss(Clock::time_point until) {
  for (auto& [match_id, game] : games_) {
    game.thinking.request_stop();
    retired_.push_back(std::move(game.worker));
  }
  games_.clear();
  for (auto& worker : retired_) {
    worker.drop();
  }
  for (auto& worker : retired_) {
    worker.leave_behind(until);
  }
  retired_.clear();
}

void Client::on(const v1::Welcome& welcome) {
  welcomed_ = true;
  around_.log("playing as " + welcome.bot_id() + " on " + welcome.server() + ", in " +
              std::to_string(welcome.match_ids_size()) + " matches");
  const auto& running = welcome.match_ids();
  std::vector<std::string> gone;
  for (auto& [match_id, game] : games_) {
    if (std::find(running.begin(), running.end(), match_id) != running.end()) {
      continue;
    }
    if (game.over) {  // its end did not come on the stream before this one: it will not come
      gone.push_back(match_id);
    }
    game.over = true;
    game.forget();
  }
  for (const auto& match_id : gone) {
    retire(match_id);
  }
}

void Client::on(const v1::MatchStart& start) {
  auto& offered = game_of({.id = start.match_id(), .seats = start.seats(), .limits = limits_of(start.limits())});
  offered.offered_on = stream_;
  ready(offered);
}

void Client::on(const v1::Seating& seating) {
  auto& begun = game_of({.id = seating.match_id()});
  begun.match = std::make_shared<const Match>(seated(*begun.match, seating));
}

void Client::on(const v1::MatchSync& sync) {
  Match match{.id = sync.match_id(), .limits = limits_of(sync.limits())};
  auto& resumed = game_of(seated(match, sync.seating()));
  resumed.match = std::make_shared<const Match>(seated(*resumed.match, sync.seating()));
  resumed.replace(sync.events());
}

void Client::on(const v1::Decision& asked, Clock::time_point arrived) {
  auto& about = game_of({.id = asked.match_id()});
  if (!about.extend(asked)) {
    if (!std::exchange(about.behind, true)) {
      next().mutable_resync()->set_match_id(asked.match_id());
    }
    return;
  }
  const bool again = about.asked == asked.decision_id();
  about.asked_on = stream_;
  if (again) {
    if (about.answer) {  // the same answer, sent again, counts once; without one the bot is still thinking
      say(*about.answer);
    }
    return;
  }
  about.forget();
  about.asked = asked.decision_id();
  auto turn = turn_of(about.match, asked, arrived);
  if (turn.legal.empty()) {
    around_.log("this client is too old for what is asked, so the server decides: " + to_string(turn));
    return;
  }
  about.thinking = std::stop_source{};
  about.handed = about.known;
  about.worker.then([seat = about.seat, turn = std::move(turn), fresh = std::exchange(about.fresh, {}),
                     decided = about.thinking.get_token(), report = report_]() mutable {
    if (decided.stop_requested()) {
      seat->remember(std::move(fresh));
    } else {
      report(seat->choose(std::move(turn), std::move(fresh), decided));
    }
  });
}

void Client::on(const v1::Accepted& accepted) {
  auto* about = find(accepted.match_id());
  if (about != nullptr && about->asked == accepted.decision_id()) {
    about->forget();
  }
}

void Client::on(const v1::Refusal& refusal) {
  auto* about = find(refusal.match_id());
  if (about == nullptr || about->asked != refusal.decision_id() || !about->answer) {
    return;
  }
  around_.log("refused in match " + refusal.match_id() + ", decision " + std::to_string(refusal.decision_id()) + ": " +
              v1::RefusalReason_Name(refusal.reason()) + " " + refusal.detail());
  const auto legal = legal_actions(refusal.legal());
  if (legal.empty()) {
    about->forget();
    return;
  }
  *about->answer->mutable_action() = message_of(legal.front());
  say(*about->answer);
}

void Client::on(const v1::MatchEnd& end) {
  auto* about = find(end.match_id());
  if (about == nullptr) {
    return;
  }
  std::string places;
  for (const auto place : end.places()) {
    places += " " + std::to_string(place);
  }
  around_.log("match " + end.match_id() + " is over" +
              (end.void_reason().empty()
                   ? "; this is seat " + std::to_string(about->match->seat) + ", places by seat:" + places
                   : ", and does not count: " + end.void_reason()));
  about->forget();
  about->worker.then([seat = about->seat, match = about->match, end] { seat->end(*match, end); });
  retire(end.match_id());
}

void Client::on(const v1::EntropyRequest& asked) {
  if (auto mine = shares_.answer(asked)) {
    *next().mutable_entropy() = std::move(*mine);
  }
}

void Client::on(const Loaded& loaded) {
  auto* about = find(loaded.match_id);
  if (about == nullptr) {
    return;
  }
  if (!loaded.failure.empty()) {
    around_.log("the bot failed to start, and is not ready for match " + loaded.match_id + ": " + loaded.failure);
    return;
  }
  about->loaded = true;
  ready(*about);
}

void Client::on(const Chosen& chosen) {
  auto* about = find(chosen.match_id);
  if (about == nullptr || about->over || about->asked != chosen.decision_id || about->answer) {
    return;
  }
  if (about->thinking.stop_requested()) {
    return;  // it was decided meanwhile
  }
  auto& answer = about->answer.emplace();
  answer.set_match_id(chosen.match_id);
  answer.set_decision_id(chosen.decision_id);
  *answer.mutable_action() = message_of(chosen.action);
  answer.set_think_time_us(chosen.took.count());
  if (about->asked_on == stream_) {  // else it is asked again on this stream, and answered then
    say(answer);
  }
}

Client::Game* Client::find(const std::string& match_id) {
  const auto found = games_.find(match_id);
  return found == games_.end() ? nullptr : &found->second;
}

Client::Game& Client::game_of(Match match) {
  if (const auto found = games_.find(match.id); found != games_.end()) {
    return found->second;
  }
  const auto shared = std::make_shared<const Match>(std::move(match));
  auto& made = games_.try_emplace(shared->id, shared, std::make_shared<Seat>(make_, around_)).first->second;
  made.worker.then([seat = made.seat, shared, report = report_] { report(seat->load(*shared)); });
  return made;
}

void Client::ready(const Game& game) {
  // On the stream that offers the match, and on no other.
  if (game.loaded && game.offered_on == stream_ && !game.over) {
    next().mutable_ready()->set_match_id(game.match->id);
  }
}

void Client::say(const v1::Answer& answer) { *next().mutable_answer() = answer; }

void Client::retire(const std::string& match_id) {
  auto over = games_.extract(match_id);
  over.mapped().worker.finish();
  std::erase_if(retired_, [](const Worker& worker) { return worker.finished(); });
  retired_.push_back(std::move(over.mapped().worker));
}

void Client::Game::forget() {
  thinking.request_stop();
  answer.reset();
}

bool Client::Game::extend(const v1::Decision& decision) {
  if (decision.first_event() != known) {
    return false;
  }
  std::transform(decision.events().begin(), decision.events().end(), std::back_inserter(fresh), event_of);
  known += static_cast<std::uint32_t>(decision.events_size());
  return true;
}

void Client::Game::replace(const google::protobuf::RepeatedPtrField<v1::Event>& events) {
  behind = false;
  known = static_cast<std::uint32_t>(events.size());
  handed = std::min(handed, known);
  fresh.clear();
  std::transform(events.begin() + handed, events.end(), std::back_inserter(fresh), event_of);
}

}  // namespace kitumaija
