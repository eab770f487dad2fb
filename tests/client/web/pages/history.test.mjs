// Test the list of own games: search, and results by opponent and game.

import assert from "node:assert/strict";
import { test } from "node:test";

const { matching, played, share, tallies } = await import("../../../../client/web/models/history.js");

const GAME = {
  game_id: "g1",
  game: "dots-and-boxes",
  size: "5x5",
  title: "Dots and Boxes 5x5",
  seat: 0,
  players: ["Ann", "Wong"],
  engines: ["", ""],
  rated: false,
  private: false,
  finished_ms: 1_767_225_600_000,
  termination: "completed",
  outcome: "lost",
  scores: [12, 13],
  plies: 60,
};
const bot = (engine, outcome) => ({ ...GAME, seat: 1, players: ["Robo", "Ann"], engines: [engine, ""], outcome });
const GAMES = [
  { ...GAME, private: true },
  bot("easy 1", "won"),
  bot("easy 2", "drawn"),
  bot("easygoing 3", "won"),
  { ...GAME, outcome: "none" },
];
const found = (search) => matching(GAMES, search).map((game) => GAMES.indexOf(game));

test("a search needs all words, in any case", () => {
  assert.deepEqual(found(""), [0, 1, 2, 3, 4]);
  assert.deepEqual(found("won"), [1, 3]); // not the games against Wong
  assert.deepEqual(found("WONG 5x5 private"), [0]);
  assert.deepEqual(found("easy draw"), [2]);
  assert.deepEqual(found("2026-01-01 casual no result"), [4]);
  assert.deepEqual(found("nobody"), []);
});

test("results go by opponent and game, and games without a result do not count", () => {
  const rows = tallies(GAMES).map((each) => [each.against, each.won, each.drawn, each.lost, played(each), share(each)]);
  assert.deepEqual(rows, [
    ["easy", 1, 1, 0, 2, 75],
    ["people", 0, 0, 1, 1, 0],
    ["easygoing 3", 1, 0, 0, 1, 100],
  ]);
});
