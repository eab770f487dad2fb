// The remark about the rating after a rated match.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ratedMatch, ratingLine } from "../../../../client/web/models/room/rating.js";
import { finish, makeModel, makeRoom } from "./rooms.mjs";

const RATED = { player: "Ann", game: "dots-and-boxes", size: "1x2", match: 1 };

/** @param {number[]} points */
const answer = (points, more = {}) => ({
  game: "dots-and-boxes",
  size: "1x2",
  engine: "",
  provisional: true,
  history: points.map((rating, at) => [at, rating]),
  ...more,
});

test("the change in words", () => {
  const others = [answer([1], { size: "5x5" }), answer([1], { engine: "mcts" }), answer([1], { game: "nim" })];
  const line = (...found) => ratingLine(RATED, [...others, ...found]);
  assert.equal(line(answer([1662.2])), "Your first rating: 1662?.");
  assert.equal(line(answer([1662.2, 1500])), "Your rating: 1500? (-162).");
  assert.equal(line(answer([1, 1500.4, 1511.6], { provisional: false })), "Your rating: 1512 (+12).");
  assert.equal(line(answer([1500.4, 1500.1])), "Your rating: 1500? (0).");
  for (const found of [[], [answer([])]]) {
    assert.equal(line(...found), "Your new rating is shown in the lobby.");
  }
});

test("only a finished rated match of the person counts", () => {
  const played = (/** @type {object} */ settings, termination = "resigned") => {
    const mirror = makeRoom();
    mirror.settings = { ...mirror.settings, ...settings };
    assert.equal(ratedMatch(makeModel(mirror)), null);
    finish(mirror, termination, 0);
    return ratedMatch(makeModel(mirror));
  };
  const found = played({ rated: true });
  assert.deepEqual([found?.player, found?.game, found?.match], ["Ann", "dots-and-boxes", 1]);
  assert.equal(played({ rated: false }), null);
  assert.equal(played({ rated: true }, "aborted"), null);
});
