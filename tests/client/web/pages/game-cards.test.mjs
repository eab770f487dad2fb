// Test what the cards of games say, and the positions of their boards.

import assert from "node:assert/strict";
import { test } from "node:test";

const { cardOf, endOf, ownCard } = await import("../../../../client/web/models/game-cards.js");
const { livePosition, positionOf } = await import("../../../../client/web/models/open-games.js");

const GAME = {
  id: "g1",
  title: "Dots and Boxes 5x5",
  players: ["Ann", "Bob"],
  engines: ["", "easy 1"],
  rated: true,
  time_control: "60+1",
  finished_ms: 1_767_225_600_000,
  termination: "completed",
  winner: 1,
  scores: [12, 13],
};

test("a card has a badge only in the list of a player", () => {
  assert.equal(cardOf(GAME).badge, undefined);
  assert.equal(cardOf(GAME, "").badge, "");
  assert.equal(cardOf(GAME, "BOB").badge, "won");
  assert.equal(cardOf(GAME, "Ann").badge, "lost");
  assert.equal(cardOf({ ...GAME, winner: null }, "Ann").badge, "drawn");
});

test("a card says how a game ended when its score does not", () => {
  assert.equal(endOf(GAME), false);
  assert.equal(endOf({ ...GAME, winner: null }), "Draw");
  assert.match(endOf({ ...GAME, termination: "resigned" }), /Ann/);
  assert.ok(endOf({ ...GAME, winner: null, termination: "aborted" }));
});

test("an own game names its winner and who was played", () => {
  const own = { ...GAME, game_id: "g1", seat: 0, outcome: "lost", private: true };
  const { id, winner, badge, facts } = ownCard(own);
  assert.deepEqual([id, winner, badge], ["g1", 1, "lost"]);
  assert.deepEqual(facts.filter(Boolean), ["easy", "rated", "private"]);
  assert.equal(ownCard({ ...own, outcome: "drawn" }).winner, null);
});

test("the edges that nobody may play are drawn in the colours of their players", () => {
  const board = { cells: ".", legal: "0001", winning: [] };
  const { played, drawers } = positionOf({ board, drawers: "01..", to_move: null });
  assert.deepEqual(played, [0, 1, 2]);
  assert.deepEqual(drawers, [0, 1, null]); // the third one was there before the first move
});

test("a game in play has its opening without players", () => {
  const board = { cells: ".", legal: "0011", winning: [] };
  const live = livePosition({ board, opening: [3], moves: [1, 0], movers: "01", to_move: 0 });
  assert.deepEqual(live.played, [3, 1, 0]);
  assert.deepEqual(live.drawers, [null, 0, 1]);
  assert.equal(live.toMove, 0);
});
