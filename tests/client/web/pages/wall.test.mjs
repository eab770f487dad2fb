// Which boards a wall shows, where, and how large.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LINGER_S, SORT_S, Wall, excitement, gridOf, likely, playing } from "../../../../client/web/models/wall.js";

const GAME = { scores: [4, 4], free: 17, made: 30, left: 30, clockMs: null, ratings: [], over: false };
const of = (changes) => excitement({ ...GAME, ...changes });

test("a close score, little time, few moves left and strong players are exciting", () => {
  assert.ok(of({}) > of({ scores: [8, 0] }));
  assert.ok(of({ clockMs: 8_000 }) > of({ clockMs: 50_000 }));
  assert.ok(of({ clockMs: 50_000 }) > of({ clockMs: 300_000 }));
  assert.ok(of({ scores: [11, 10], free: 4, made: 52, left: 8 }) > of({}));
  assert.ok(of({ ratings: [1900, 1800] }) > of({ ratings: [1200, 1100] }));
});

test("a game that is decided, over or has just begun is not", () => {
  assert.ok(of({ scores: [14, 6], free: 5, made: 55, left: 5, clockMs: 1_000 }) < of({}));
  assert.equal(of({ over: true, ratings: [2400] }), 0);
  assert.equal(of({ scores: [14, 6], free: 5, ratings: [2400] }), 0);
  assert.ok(of({ scores: [0, 0], free: 25, made: 0, left: 60 }) < of({}));
});

test("games without points or clocks have a place, too, and nothing leaves the range", () => {
  for (const ratings of [[], [200], [3000, 3000]]) {
    for (const clockMs of [null, 0, 1e9]) {
      for (const left of [0, 9]) {
        const value = of({ scores: [0, 0], free: 9, made: 9 - left, left, clockMs, ratings });
        assert.ok(value >= 0 && value <= 1, String(value));
      }
    }
  }
});

const DAYS = { time: { base_ms: null, move_ms: 86_400_000 } };
const listed = (room, kinds, settings = {}, status = "playing") => ({
  room,
  status,
  settings: { time: { base_ms: 60_000, move_ms: null }, rated: false, ...settings },
  players: [...kinds].map((kind) => ({ name: `${room} ${kind}`, kind: kind === "b" ? "bot" : "human" })),
});

test("people, strong players and ratings make a game that is not known yet likely to be exciting", () => {
  const chance = (kinds, ratings, settings) => likely(listed("r", kinds, settings), ratings);
  assert.ok(chance("hh", [1500, 1500]) > chance("hb", [1500, 1500]));
  assert.ok(chance("bb", [2100, 2000]) > chance("bb", [1100, 1200]));
  assert.ok(chance("bb", [2100, 2000]) > chance("hb", [1000, 1000]));
  assert.ok(chance("hh", [1500, 1500], { rated: true }) > chance("hh", [1500, 1500]));
  assert.ok(chance("bb", []) > of({ over: true }));
  assert.equal(chance("hh", [2000, 2000], DAYS), 0);
});

test("a wall takes the most exciting games first, without one's own by days", () => {
  const rooms = [listed("dull", "bb"), listed("waiting", "hh", {}, "waiting"), listed("mine", "hh", DAYS), listed("good", "hh")];
  const worth = ({ room }) => ({ dull: 0.1, good: 0.6 })[room] ?? 1;
  assert.deepEqual(playing(rooms, "mine h", worth).map((each) => each.room), ["good", "dull"]);
});

/** A wall with the rooms a, b, c. */
function wall(now = 0) {
  const made = new Wall(4);
  made.take(["a", "b", "c"], now);
  return made;
}
const rooms = (made) => made.tiles.map((tile) => tile.room).join("");

test("boards move at most now and then, and only for a clear difference", () => {
  const made = wall();
  const values = { a: 0.2, b: 0.3, c: 0.6 };
  const value = (room) => values[room];
  assert.equal(made.sort(value, null, 1), true);
  assert.equal(rooms(made), "cba");
  assert.equal(made.sort((room) => values[room] + 0.1 * (room === "b"), null, 2 * SORT_S), false);
  values.a = 0.9;
  assert.equal(made.sort(value, null, SORT_S), false);
  assert.equal(made.sort(value, null, SORT_S + 1), true);
  assert.equal(rooms(made), "acb");
  values.b = 0.7;
  assert.equal(made.sort(value, null, 3 * SORT_S), false);
});

test("the board that somebody looks at keeps its place, and unknown boards are waited for", () => {
  const made = wall();
  const values = { a: 0.2, b: 0.1, c: 0.9 };
  assert.equal(made.sort((room) => (room === "b" ? null : values[room]), null, 1), false);
  assert.equal(made.sort((room) => values[room], "a", 1), true);
  assert.equal(rooms(made), "acb");
});

test("the last decided game gives its place to one that waits, now and then and not while somebody looks at it", () => {
  const made = new Wall(3);
  const values = { a: 0, b: 0.4, c: 0, d: 0, e: 0.5, f: 0.5 };
  const renew = (now, held = null, chance = 0.3) => made.renew((room) => values[room], () => chance, held, now);
  const live = ["a", "b", "c", "d", "e"];
  made.take(live.slice(0, 3), 0);
  assert.equal(renew(0), false); // none waits
  made.take(live, 1);
  assert.equal(renew(1, null, 0), false); // a game by days
  assert.equal(renew(1, "c"), true);
  assert.equal(rooms(made), "dbc");
  assert.equal(renew(SORT_S), false);
  assert.equal(renew(SORT_S + 1), true);
  assert.equal(rooms(made), "dbe");
  // Those that were shown come back only when nothing else waits.
  made.take(live, 2 * SORT_S);
  assert.equal(renew(3 * SORT_S), false);
  made.take(["a", "c", "d", "b", "f"], 4 * SORT_S);
  made.take(["a", "c", "d", "b", "f"], 4 * SORT_S + LINGER_S);
  assert.equal(rooms(made), "dbf");
  made.take(["a", "c", "d", "b"], 5 * SORT_S);
  made.take(["a", "c", "d", "b"], 5 * SORT_S + LINGER_S);
  assert.equal(rooms(made), "dba");
});

test("a television stays with a game to its end, and goes on to the most exciting one", () => {
  const made = wall();
  const values = { a: 0.2, b: 0.3, c: 0.6 };
  const value = (room) => values[room];
  assert.equal(made.large(null, value, 0), "c");
  assert.equal(made.large("a", value, 0), "a");
  made.take(["b", "c"], 10);
  assert.equal(made.large("a", value, 10 + LINGER_S - 1), "a");
  assert.equal(made.large("a", value, 10 + LINGER_S), "c");
  made.take([], 30);
  assert.equal(made.large("c", value, 99), "c");
  assert.equal(new Wall().large(null, value, 0), null);
  const late = wall();
  assert.equal(late.large(null, () => null, 2), null);
  assert.equal(late.large(null, () => null, 3), "a");
});

test("boards are as large as the window allows, and never smaller than what one can see", () => {
  const tile = { gap: 16, more: 80, least: 150 };
  assert.deepEqual(gridOf(1, { width: 1400, height: 700 }, tile), { columns: 1, size: 620, large: false });
  assert.deepEqual(gridOf(2, { width: 1400, height: 700 }, tile), { columns: 2, size: 620, large: false });
  assert.deepEqual(gridOf(12, { width: 1400, height: 700 }, { ...tile, least: 190 }), { columns: 6, size: 220, large: false });
  assert.equal(gridOf(12, { width: 310, height: 500 }, tile).columns, 1);
});

test("the first board is twice as large where the others do not suffer", () => {
  const tile = { gap: 16, more: 80, least: 150 };
  assert.deepEqual(gridOf(5, { width: 1400, height: 700 }, tile), { columns: 4, size: 262, large: true });
  assert.deepEqual(gridOf(12, { width: 340, height: 500 }, tile), { columns: 2, size: 162, large: true });
});
