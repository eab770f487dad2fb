// Compute who met whom in a tournament: crosstable, rounds and bracket, from its finished games.
//
// A game counts when its attempt is the last one of its pair, and when it has a result. Points of a
// pair count once both of its games do, as in the table.

import { tr } from "../texts.js";
import { NO_RESULT } from "./room/words.js";

/** @import { TournamentAnswer, TournamentGame } from "../types/api.js" */
/** @typedef {{points: number, games: number}} Met */
/**
 * @typedef {object} Encounter two players in a round; `second` null: a bye, or not known yet
 * @property {number} round from 1
 * @property {string | null} first
 * @property {string | null} second
 * @property {boolean} bye
 * @property {[number, number]} points
 * @property {string | null} onward who is in the next round; null: nobody, or not decided
 * @property {string[]} games the ids of the finished games
 * @property {boolean} playing whether a game is in play
 * @property {string[]} absent who lost a game of it by absence
 */

/**
 * Return the games that count, by the number of their pair.
 *
 * @param {TournamentGame[]} games
 * @returns {Map<number, TournamentGame[]>}
 */
export function countedGames(games) {
  /** @type {Map<number, number>} */
  const attempts = new Map();
  for (const each of games) {
    const again = each.attempt + (NO_RESULT.includes(each.termination) ? 1 : 0);
    attempts.set(each.pair, Math.max(attempts.get(each.pair) ?? 1, again));
  }
  /** @type {Map<number, TournamentGame[]>} */
  const counted = new Map();
  for (const each of games) {
    if (each.attempt < (attempts.get(each.pair) ?? 1)) continue;
    const pair = counted.get(each.pair);
    if (pair === undefined) counted.set(each.pair, [each]);
    else pair.push(each);
  }
  return counted;
}

/**
 * Return the points of `player` in a game.
 *
 * @param {TournamentGame} game
 * @param {string} player
 */
export function pointsIn(game, player) {
  if (game.winner == null) return 0.5;
  return game.players[game.winner] === player ? 1 : 0;
}

/**
 * Return who lost a game by not being there: away for too long, or without a first move; empty for other games.
 *
 * @param {TournamentGame} game
 */
export function absentFrom({ winner, termination, players, moves }) {
  if (winner == null) return "";
  const never = termination === "timeout" && moves[1 - winner] === 0;
  return termination === "disconnect" || never ? players[1 - winner] : "";
}

/**
 * Return how many games each player has lost by absence.
 *
 * @param {TournamentGame[]} games
 * @returns {Map<string, number>}
 */
export function absences(games) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const pair of countedGames(games).values()) {
    for (const name of pair.map(absentFrom)) if (name) found.set(name, (found.get(name) ?? 0) + 1);
  }
  return found;
}

/**
 * Return the name of a line of a table: in a ladder each version of a bot has one.
 *
 * @param {string} player
 * @param {string} engine
 */
export function lineOf(player, engine) {
  return `${player}\n${engine}`;
}

/**
 * Return who scored what against whom, in whole pairs: a function of two lines (`lineOf`).
 *
 * @param {TournamentAnswer} tournament
 * @returns {(line: string, other: string) => Met | undefined}
 */
export function crosstable(tournament) {
  /** @type {Map<string, Map<string, Met>>} */
  const rows = new Map();
  const add = (/** @type {string} */ player, /** @type {string} */ other, /** @type {number} */ points) => {
    let row = rows.get(player);
    if (row === undefined) rows.set(player, (row = new Map()));
    const met = row.get(other) ?? { points: 0, games: 0 };
    row.set(other, { points: met.points + points, games: met.games + 1 });
  };
  for (const pair of countedGames(tournament.games).values()) {
    if (pair.length < 2) continue;
    for (const game of pair) {
      const [first, second] = game.players.map((player, seat) => lineOf(player, game.engines[seat]));
      add(first, second, pointsIn(game, game.players[0]));
      add(second, first, pointsIn(game, game.players[1]));
    }
  }
  return (player, other) => rows.get(player)?.get(other);
}

/**
 * Return who met whom, round by round, for formats with rounds.
 *
 * @param {TournamentAnswer} tournament
 * @returns {Encounter[][]}
 */
export function roundsOf(tournament) {
  const counted = countedGames(tournament.games);
  const live = new Set(tournament.live.map((each) => each.pair));
  /** @type {Map<string, Encounter>} */
  const found = new Map();
  /** @type {Encounter[][]} */
  const rounds = [];
  const pairings = [...tournament.pairings].sort((one, other) => one.number - other.number);
  for (const { number, round, players } of pairings) {
    const [first, second] = [players[0] ?? null, players[1] ?? null];
    // In a later pair the two may be named the other way round.
    const key = JSON.stringify([round, ...[first ?? "", second ?? ""].sort()]);
    let encounter = found.get(key);
    if (encounter === undefined) {
      encounter = {
        round: round + 1,
        first,
        second,
        bye: second === null,
        points: [0, 0],
        onward: null,
        games: [],
        playing: false,
        absent: [],
      };
      found.set(key, encounter);
      while (rounds.length <= round) rounds.push([]);
      rounds[round].push(encounter);
    }
    const pair = counted.get(number) ?? [];
    encounter.playing ||= live.has(number);
    for (const game of pair) {
      encounter.games.push(game.id);
      const away = absentFrom(game);
      if (away && !encounter.absent.includes(away)) encounter.absent.push(away);
      if (pair.length < 2 || first === null || second === null) continue;
      encounter.points[0] += pointsIn(game, encounter.first ?? "");
      encounter.points[1] += pointsIn(game, encounter.second ?? "");
    }
  }
  markOnward(tournament, rounds);
  return rounds;
}

/**
 * Return the rounds of a knockout with a place for each match, also for those that wait for their
 * players. A round has half the matches of the round before.
 *
 * @param {TournamentAnswer} tournament
 * @returns {Encounter[][]}
 */
export function bracketOf(tournament) {
  const rounds = roundsOf(tournament);
  if (!rounds.length) return [];
  const bracket = [rounds[0]];
  while (bracket[bracket.length - 1].length > 1) {
    const before = bracket[bracket.length - 1];
    const next = bracket.length;
    const known = [...(rounds[next] ?? [])];
    /** @type {Encounter[]} */
    const places = [];
    for (let at = 0; at < before.length; at += 2) {
      const players = [before[at], before[at + 1]].flatMap((each) =>
        each === undefined ? [] : [each.first, each.second],
      );
      const here = known.findIndex(
        ({ first, second }) =>
          (first !== null && players.includes(first)) ||
          (second !== null && players.includes(second)),
      );
      places.push(
        here >= 0
          ? known.splice(here, 1)[0]
          : waiting(next + 1, before[at].onward, before[at + 1]?.onward ?? null),
      );
    }
    bracket.push(places);
  }
  return bracket;
}

/**
 * Return the name of a round of a knockout with `matches` matches: `Final`, `Semifinals`.
 *
 * @param {number} matches
 * @param {number} round from 1
 */
export function roundName(matches, round) {
  if (matches === 1) return tr("Final");
  if (matches === 2) return tr("Semifinals");
  if (matches === 4) return tr("Quarterfinals");
  return tr("Round {number}", { number: round });
}

/**
 * Return the columns of curves: all moments in seconds, and the rating of each line at each of them,
 * null where it has none.
 *
 * @param {{points: number[][]}[]} curves
 */
export function curveColumns(curves) {
  const moments = [...new Set(curves.flatMap(({ points }) => points.map(([ms]) => ms)))].sort((a, b) => a - b);
  const rows = curves.map(({ points }) => {
    const known = new Map(points.map(([ms, rating]) => [ms, rating]));
    return moments.map((ms) => known.get(ms) ?? null);
  });
  return [moments.map((ms) => ms / 1000), ...rows];
}

/**
 * Return the finished games, newest first.
 *
 * @param {TournamentGame[]} games
 */
export function newestGames(games) {
  return [...games].sort((one, other) => other.finished_ms - one.finished_ms);
}

/**
 * @param {number} round
 * @param {string | null} first
 * @param {string | null} second
 * @returns {Encounter}
 */
function waiting(round, first, second) {
  return {
    round,
    first,
    second,
    bye: false,
    points: [0, 0],
    onward: null,
    games: [],
    playing: false,
    absent: [],
  };
}

/**
 * In a knockout, note for each encounter who is in the next round, or who has won the last one.
 *
 * @param {TournamentAnswer} tournament
 * @param {Encounter[][]} rounds
 */
function markOnward({ format, status, entrants }, rounds) {
  if (format !== "knockout") return;
  const best = entrants.filter((each) => each.place === 1).map((each) => each.player);
  for (const [at, encounters] of rounds.entries()) {
    const next = rounds[at + 1];
    const on = next
      ? next.flatMap(({ first, second }) => [first, second])
      : status === "finished"
        ? best
        : [];
    for (const each of encounters) {
      if (each.bye) each.onward = each.first;
      else each.onward = [each.first, each.second].find((name) => name !== null && on.includes(name)) ?? null;
    }
  }
}
