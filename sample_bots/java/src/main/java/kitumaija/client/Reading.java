package kitumaija.client;

import com.google.protobuf.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import kitumaija.v1.Arena;
import kitumaija.v1.Game;

/**
 * Makes of the protocol's messages what bots work with. What a newer server says is never an error
 * here.
 */
final class Reading {
  private Reading() {}

  /** What is legal, in the rules' order: cards, turn, take the smaller amount first, pass. */
  static List<Action> actions(Game.LegalActions legal) {
    List<Action> actions = new ArrayList<>();
    for (Card card : cards(legal.getPlayValueList())) {
      actions.add(new Action.Play(card));
    }
    if (legal.getTurn()) {
      actions.add(new Action.TurnCard());
    }
    for (int amount : legal.getTakeList()) {
      actions.add(new Action.Take(amount));
    }
    if (legal.getPassLead()) {
      actions.add(new Action.PassLead());
    }
    return List.copyOf(actions);
  }

  /** The cards, without those that are not known here. */
  static List<Card> cards(List<Integer> numbers) {
    return numbers.stream().flatMap(number -> Card.numbered(number).stream()).toList();
  }

  static View view(Game.View view) {
    return new View(
        view.getSeat(),
        view.getSeats(),
        phase(view.getPhase()),
        view.getMover(),
        cards(view.getHandValueList()),
        Card.numbered(view.getTopValue()),
        view.getPileSize(),
        view.getStockSize(),
        List.copyOf(view.getHandSizesList()),
        List.copyOf(view.getOutList()),
        view.getLuck(),
        view.getMaijaPending(),
        view.getTurns());
  }

  private static Phase phase(Game.Phase phase) {
    return switch (phase) {
      case PHASE_CATCH -> Phase.CATCH;
      case PHASE_FREE -> Phase.FREE;
      case PHASE_PICKUP -> Phase.PICK_UP;
      case PHASE_LEAD -> Phase.LEAD;
      case PHASE_UNSPECIFIED, UNRECOGNIZED -> Phase.UNKNOWN;
    };
  }

  static List<Event> events(List<Game.Event> events) {
    return events.stream().map(Reading::event).toList();
  }

  private static Event event(Game.Event event) {
    int seat = event.getSeat();
    int count = event.getCount();
    return switch (event.getKind()) {
      case EVENT_KIND_DEALT -> new Event.Dealt(seat, count, cards(event.getCardsValueList()));
      case EVENT_KIND_START_CARD_TURNED -> with(event, Event.StartCardTurned::new);
      case EVENT_KIND_MAIJA_RETURNED -> new Event.MaijaReturned();
      case EVENT_KIND_CARD_CAUGHT -> with(event, card -> new Event.CardCaught(seat, card));
      case EVENT_KIND_LUCK_TURNED ->
          with(event, card -> new Event.LuckTurned(seat, card, event.getFits()));
      case EVENT_KIND_FREE_PLAYED -> with(event, card -> new Event.FreePlayed(seat, card));
      case EVENT_KIND_FREE_TURNED -> with(event, card -> new Event.FreeTurned(seat, card));
      case EVENT_KIND_CARD_LED -> with(event, card -> new Event.CardLed(seat, card));
      case EVENT_KIND_PASSED -> new Event.Passed(seat);
      case EVENT_KIND_CARDS_DRAWN ->
          new Event.CardsDrawn(seat, count, cards(event.getCardsValueList()));
      case EVENT_KIND_CARDS_PICKED_UP ->
          new Event.CardsPickedUp(seat, count, cards(event.getCardsValueList()));
      case EVENT_KIND_WENT_OUT -> new Event.WentOut(seat, event.getPlace());
      case EVENT_KIND_GAME_ENDED ->
          new Event.GameEnded(event.getTermination(), List.copyOf(event.getPlacesList()));
      case EVENT_KIND_UNSPECIFIED, UNRECOGNIZED -> new Event.Unknown();
    };
  }

  private static Event with(Game.Event event, Function<Card, Event> made) {
    Optional<Card> card = Card.numbered(event.getCardValue());
    return card.map(made).orElseGet(Event.Unknown::new);
  }

  /** A decision as a turn, for which this client knows what is legal. */
  static Turn turn(
      Match match,
      Arena.Decision asked,
      List<Action> legal,
      List<Event> events,
      Deadline deadline) {
    return new Turn(
        match,
        asked.getDecisionId(),
        view(asked.getView()),
        legal,
        events,
        microseconds(asked.getTimeLeftUs()),
        microseconds(asked.getBankUs()),
        microseconds(asked.getLastUsedUs()),
        microseconds(asked.getRoundTripUs()),
        deadline);
  }

  /** How long a bot may think from a decision's coming on: the way there and the way back count. */
  static java.time.Duration thinkAtMost(Arena.Decision asked) {
    return microseconds(asked.getTimeLeftUs() - asked.getRoundTripUs());
  }

  private static java.time.Duration microseconds(long count) {
    return java.time.Duration.ofNanos(count * 1000);
  }

  /** A match of which no more is known than this. */
  static Match match(String id, int seats, Arena.Limits limits) {
    return new Match(
        id, seats, limits(limits), 0, List.of(), Game.GameOptions.getDefaultInstance());
  }

  static Match seated(Match match, Arena.Seating seating) {
    List<Match.Player> players =
        seating.getPlayersList().stream()
            .map(who -> new Match.Player(who.getSeat(), who.getBotId(), who.getDisplayName()))
            .toList();
    return match.seated(seating.getSeat(), players, seating.getOptions());
  }

  private static Match.Limits limits(Arena.Limits limits) {
    return new Match.Limits(
        duration(limits.getStartup()),
        duration(limits.getPerDecision()),
        duration(limits.getBank()),
        duration(limits.getIncrement()),
        duration(limits.getMargin()),
        duration(limits.getGrace()),
        duration(limits.getMatchCap()));
  }

  private static java.time.Duration duration(Duration duration) {
    return java.time.Duration.ofSeconds(duration.getSeconds(), duration.getNanos());
  }
}
