package kitumaija.client;

import java.util.List;
import kitumaija.v1.Arena;

/**
 * How a match ended.
 *
 * @param match the match
 * @param places each seat's place from 1, by seat, shared places being equal numbers; empty where
 *     the match is void
 * @param events what happened since this bot's last turn
 * @param message all that the server tells: hands, stock, pile, faults, the deal's seed; see
 *     arena.proto
 */
public record Ending(
    Match match, List<Integer> places, List<Event> events, Arena.MatchEnd message) {}
