// Tournaments: words, tables, crosstable, rounds and bracket.

import assert from "node:assert/strict";
import { test } from "node:test";

import { absences, bracketOf, countedGames, crosstable, curveColumns, lineOf, newestGames, roundName, roundsOf } from "../../../../client/web/models/tournament.js";
import { TournamentNews } from "../../../../client/web/models/tournament-news.js";
import {
  aboutLine,
  entrantNow,
  pointsText,
  progressLine,
  progressShare,
  tableOf,
  termsText,
} from "../../../../client/web/models/tournament-words.js";
import { mayJoin } from "../../../../client/web/pages/tournament/taking.js";

const TERMS = {
  name: "Cup",
  format: "round-robin",
  settings: { game: "dots-and-boxes", params: {}, opening: [], time: { base_ms: 60_000, increment_ms: 1000, move_ms: null }, rated: true },
  pairs: 1,
  rounds: null,
  patience: 3,
  late: false,
  people: true,
  invited: null,
  hero: null,
};

/**
 * @param {string} player
 * @param {object} [more]
 */
const entrant = (player, more = {}) => ({
  player,
  engine: "",
  state: "in",
  reason: "",
  online: true,
  playing: 0,
  place: 1,
  games: 0,
  points: 0,
  net: 0,
  ...more,
});

let numbers = 0;
/**
 * @param {number} pair
 * @param {string[]} players
 * @param {number | null} winner
 * @param {object} [more]
 */
const game = (pair, players, winner, more = {}) => ({
  id: `g${(numbers += 1)}`,
  pair,
  game: 0,
  attempt: 1,
  players,
  engines: players.map(() => ""),
  winner,
  termination: "completed",
  scores: [1, 0],
  finished_ms: numbers,
  ...more,
});

/** @param {object} more */
const contest = (more) => ({
  format: "round-robin",
  status: "running",
  owner: "Ann",
  terms: TERMS,
  entrants: [],
  games_played: 0,
  games_planned: 12,
  pairings: [],
  games: [],
  live: [],
  ...more,
});

/** @param {number} number @param {number} round @param {(string | null)[]} players */
const pairing = (number, round, players) => ({ number, round, players, opening: [], state: "open" });

// Older versions of node have none.
globalThis.navigator ??= { languages: ["en"] };

test("a repeated pair counts only its last attempt, and a void game does not", () => {
  const games = [
    game(0, ["A", "B"], 0),
    game(0, ["B", "A"], null, { termination: "void", game: 1 }),
    game(0, ["A", "B"], 1, { attempt: 2 }),
    game(1, ["A", "C"], null, { termination: "aborted" }),
  ];
  const counted = countedGames(games);
  assert.deepEqual([...counted.keys()], [0]);
  assert.deepEqual(counted.get(0)?.map((each) => each.id), [games[2].id]);
});

test("games lost by absence: away for too long, or without a first move", () => {
  const games = [
    game(0, ["A", "B"], 0, { termination: "disconnect", moves: [3, 2] }),
    game(0, ["B", "A"], 1, { termination: "timeout", moves: [0, 0], game: 1 }),
    game(1, ["A", "B"], 1, { termination: "timeout", moves: [4, 5] }),
    game(1, ["A", "B"], 0, { termination: "resigned", moves: [0, 0], game: 1 }),
  ];
  assert.deepEqual([...absences(games)], [["B", 2]]);
  const [[met]] = roundsOf(contest({ games, pairings: [pairing(0, 0, ["A", "B"])] }));
  assert.deepEqual(met.absent, ["B"]);
});

test("the crosstable counts whole pairs for both players", () => {
  const met = crosstable(
    contest({
      games: [game(0, ["A", "B"], 0), game(0, ["B", "A"], null, { game: 1 }), game(1, ["A", "C"], 0)],
    }),
  );
  const [a, b, c] = ["A", "B", "C"].map((player) => lineOf(player, ""));
  assert.deepEqual(met(a, b), { points: 1.5, games: 2 });
  assert.deepEqual(met(b, a), { points: 0.5, games: 2 });
  assert.equal(met(a, c), undefined);
});

test("curves share the moments of all of them", () => {
  assert.deepEqual(curveColumns([{ points: [[3000, 1], [1000, 2]] }, { points: [[2000, 5]] }]), [
    [1, 2, 3],
    [2, null, 1],
    [null, 5, null],
  ]);
});

test("rounds join the pairs of two players, whoever is named first", () => {
  const [first, second] = roundsOf(
    contest({
      format: "swiss",
      pairings: [
        pairing(2, 1, ["A", "C"]),
        pairing(0, 0, ["A", "B"]),
        pairing(1, 0, ["B", "A"]),
        pairing(3, 0, ["C", null]),
      ],
      games: [
        game(0, ["A", "B"], 0),
        game(0, ["B", "A"], 0, { game: 1 }),
        game(1, ["B", "A"], 1),
        game(1, ["A", "B"], 0, { game: 1 }),
      ],
      live: [{ pair: 2, room: "r", game: 0, attempt: 1, players: ["A", "C"] }],
    }),
  );
  assert.deepEqual(first.map(({ first, second, points, bye }) => [first, second, points, bye]), [
    ["A", "B", [3, 1], false],
    ["C", null, [0, 0], true],
  ]);
  assert.deepEqual(second.map(({ round, playing }) => [round, playing]), [[2, true]]);
});

test("a bracket has places for matches that wait for their players", () => {
  const knockout = contest({
    format: "knockout",
    entrants: [entrant("A"), entrant("B", { place: 2 })],
    pairings: [
      pairing(0, 0, ["A", null]),
      pairing(1, 0, ["D", "E"]),
      pairing(2, 0, ["B", "G"]),
      pairing(3, 0, ["C", "F"]),
      pairing(4, 1, ["D", "A"]),
    ],
    games: [game(1, ["D", "E"], 0), game(1, ["E", "D"], 1, { game: 1 })],
  });
  const bracket = bracketOf(knockout);
  assert.deepEqual(bracket.map((round) => round.length), [4, 2, 1]);
  assert.deepEqual(bracket[0].map((each) => each.onward), ["A", "D", null, null]);
  assert.deepEqual(bracket[1].map(({ first, second }) => [first, second]), [
    ["D", "A"],
    [null, null],
  ]);
  assert.deepEqual([bracket[2][0].first, bracket[2][0].round], [null, 3]);
  assert.deepEqual([roundName(1, 3), roundName(2, 2), roundName(4, 1), roundName(8, 1)], ["Final", "Semifinals", "Quarterfinals", "Round 1"]);
});

test("the winner of a finished knockout goes on from the last round", () => {
  const rounds = roundsOf(
    contest({
      format: "knockout",
      status: "finished",
      entrants: [entrant("B"), entrant("A", { place: 2 })],
      pairings: [pairing(0, 0, ["A", "B"])],
    }),
  );
  assert.equal(rounds[0][0].onward, "B");
});

test("finished games come newest first, and the list stays as it was", () => {
  const games = [game(0, ["A", "B"], 0, { finished_ms: 5 }), game(1, ["A", "B"], 0, { finished_ms: 9 })];
  assert.deepEqual(newestGames(games).map((each) => each.finished_ms), [9, 5]);
  assert.deepEqual(games.map((each) => each.finished_ms), [5, 9]);
});

test("progress and points are in the words of the window", () => {
  assert.equal(progressLine(contest({ status: "open" })), "Ann has not started it yet");
  assert.match(progressLine(contest({ status: "open", next_ms: 0 })), /^Starts .*1970/);
  assert.equal(progressLine(contest({ games_played: 3 })), "3 of 12 games played");
  assert.match(progressLine(contest({ games_played: 3, next_ms: 0 })), /games played. The next round begins .*1970/);
  assert.equal(progressLine(contest({ games_played: 1, games_planned: null })), "1 game played");
  assert.equal(progressLine(contest({ status: "cancelled", games_played: 2 })), "Ended before its time, after 2 games");
  assert.deepEqual([0, 0.5, 1, 2.5].map(pointsText), ["0", "½", "1", "2½"]);
  assert.deepEqual(
    [progressShare(contest({ games_played: 3 })), progressShare(contest({ games_planned: null })), progressShare(contest({ status: "finished" }))],
    [0.25, null, 1],
  );
});

test("the table says what each player does, and no place before the start", () => {
  const row = entrant("A", { playing: 2, points: 1.5, net: -3, place: 2, games: 2, rating: 1611.7, deviation: 42 });
  assert.deepEqual(tableOf(contest({ entrants: [row] }))[0], {
    player: "A",
    engine: "",
    place: "2",
    now: "playing 2",
    state: "in",
    games: 2,
    points: "1½",
    net: "-3",
    breaks: [],
    rating: "1612 ± 84",
  });
  const terms = { ...contest({}).terms, tie_breaks: /** @type {const} */ (["net", "buchholz"]) };
  const broken = entrant("A", { tie_breaks: [3, 7.5] });
  assert.deepEqual(tableOf(contest({ terms, entrants: [broken] }))[0].breaks, ["7.5"]);
  assert.equal(tableOf(contest({ status: "open", entrants: [row] }))[0].place, "");
  assert.equal(entrantNow(entrant("A", { online: false }), "running"), "away");
  const late = entrant("A", { online: false, loses_in_ms: 41_900 });
  assert.equal(entrantNow(late, "running"), "away, loses a game in 41 s");
  assert.equal(entrantNow(entrant("A", { online: false }), "finished"), "");
  assert.equal(entrantNow(entrant("A", { busy: true }), "running"), "plays elsewhere");
  assert.equal(entrantNow(entrant("A", { busy: true }), "open"), "");
  assert.equal(entrantNow(entrant("A", { state: "aside", reason: "3 games lost in a row" }), "running"), "excluded: 3 games lost in a row");
  assert.equal(entrantNow(entrant("A", { state: "aside", reason: "excluded by the organiser" }), "running"), "excluded");
});

test("the terms are sentences", () => {
  assert.match(termsText(contest({})), /^Every two play 2 games with swapped seats\. Rated\. .* people and bots may join\.$/);
  const ladder = { ...TERMS, format: "ladder", people: false, phrases: false };
  assert.match(termsText(contest({ terms: ladder })), /until it is ended.*for bots only, without quick phrases, also after the start\.$/);
  assert.equal(aboutLine(TERMS, "Dots and Boxes 5x5"), "Dots and Boxes 5 × 5 · round robin · 1 min + 1 s");
});

test("who may join depends on status, invitation and format", () => {
  const may = (/** @type {object} */ more, /** @type {object} */ terms = {}) =>
    mayJoin(contest({ ...more, terms: { ...TERMS, ...terms } }), "Me");
  assert.equal(may({ status: "open" }), true);
  assert.equal(may({ status: "running" }), false);
  assert.equal(may({ status: "running" }, { late: true }), true);
  assert.equal(may({ status: "finished" }, { late: true }), false);
  assert.equal(may({ status: "open" }, { people: false }), false);
  assert.equal(may({ status: "open" }, { invited: ["You"] }), false);
  assert.equal(may({ status: "open" }, { invited: ["ME"] }), true);
  assert.equal(may({ status: "running", entrants: [entrant("Me", { state: "left" })] }), true);
  assert.equal(may({ status: "open", entrants: [entrant("Me")] }), false);
});

test("a tournament is joined from what is known and what is new", async () => {
  const asked = [];
  const answers = [
    { games: [{ id: "a" }], games_before: 0, pairings: [{ number: 0 }, { number: 1 }], pairings_before: 0, cursor: "x-1-1" },
    { games: [{ id: "b" }], games_before: 1, pairings: [{ number: 1, state: "done" }], pairings_before: 1, cursor: "x-2-2" },
    { games: [{ id: "c" }], games_before: 0, pairings: [{ number: 0 }], pairings_before: 0, cursor: "" },
    { games: [{ id: "d" }], games_before: 0, pairings: [], pairings_before: 0, cursor: "" },
  ];
  const get = async (path, params) => {
    asked.push([path, params.since]);
    return answers.shift();
  };
  const news = new TournamentNews("t/1", get);
  const signal = new AbortController().signal;
  await news.load(signal);
  const second = await news.load(signal);
  assert.deepEqual(second.games.map(({ id }) => id), ["a", "b"]);
  assert.deepEqual(second.pairings, [{ number: 0 }, { number: 1, state: "done" }]);
  const third = await news.load(signal);
  assert.deepEqual(third.games.map(({ id }) => id), ["c"]);
  await news.load(signal);
  assert.deepEqual(asked.map(([, since]) => since), [undefined, "x-1-1", "x-2-2", ""]);
  assert.equal(asked[0][0], "/api/tournaments/t%2F1");
});
