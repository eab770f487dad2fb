// The form of a tournament, time controls, ratings, and the wall's choice of rooms.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ratingColumns, ratingText } from "../../../../client/web/models/rating.js";
import { dateText, dayText, parseTime, timeText } from "../../../../client/web/models/time.js";
import { CUSTOM, hasField, newFields, readFields } from "../../../../client/web/models/tournament-form.js";
import { LINGER_S, Wall } from "../../../../client/web/models/wall.js";

const GAMES = [
  {
    key: "dots-and-boxes",
    title: "Dots and Boxes",
    parameters: [
      { name: "rows", label: "Rows", low: 1, high: 10, default: 5 },
      { name: "cols", label: "Columns", low: 1, high: 10, default: 5 },
    ],
    least_numbers: 2,
    seat_names: ["A", "B"],
    unit: "boxes",
    features: true,
  },
];

/** @param {object} changed */
const read = (changed) => readFields({ ...newFields(GAMES), name: "Cup", ...changed }, GAMES);

test("the usual fields are complete but for the name", () => {
  assert.deepEqual(readFields(newFields(GAMES), GAMES).problems, { name: "Write a name of 1 to 64 characters." });
  const { terms } = read({ name: " Cup " });
  assert.equal(terms?.name, "Cup");
  assert.deepEqual(terms?.settings.params, { rows: 5, cols: 5 });
  assert.deepEqual(terms?.settings.time, { base_ms: 60_000, increment_ms: 1000, move_ms: null });
  assert.deepEqual([terms?.rounds, terms?.invited, terms?.hero, terms?.seed], [null, null, null, null]);
});

test("each wrong field has its sentence", () => {
  const { problems } = read({
    sizes: { "dots-and-boxes": { rows: "11", cols: "x" } },
    time: CUSTOM,
    clock: "fast",
    pairs: "0",
    patience: "",
    atOnce: "-1",
    seed: "1.5",
    invited: "Ann, <b>",
  });
  assert.deepEqual(Object.keys(problems ?? {}).sort(), [
    "atOnce", "clock", "invited", "pairs", "patience", "seed", "size_cols", "size_rows",
  ]);
  assert.equal(problems?.pairs, "Write a whole number from 1 to 10,000.");
});

test("an arena has a length, and its bots need a number of players", () => {
  const { terms } = read({ format: "arena", minutes: "45", pairs: "x", bots: "easy, hard", fill: "6" });
  assert.deepEqual([terms?.length_ms, terms?.bots, terms?.fill], [2_700_000, ["easy", "hard"], 6]);
  const wrong = read({ format: "arena", minutes: "", bots: "easy", fill: "1" }).problems ?? {};
  assert.deepEqual(Object.keys(wrong).sort(), ["fill", "minutes"]);
});

test("only fields of the format count", () => {
  assert.equal(read({ format: "swiss", rounds: "" }).problems?.rounds, "Write a whole number from 1 to 1,000.");
  assert.equal(read({ format: "swiss", rounds: "4" }).terms?.rounds, 4);
  assert.equal(read({ format: "round-robin", rounds: "x" }).terms?.rounds, null);
  assert.deepEqual(
    [read({ format: "ladder", rounds: "", pairs: "x" }).terms?.rounds, read({ format: "ladder", pairs: "7" }).terms?.pairs],
    [null, 1],
  );
  assert.equal(read({ format: "knockout", late: true }).terms?.late, false);
  assert.equal(read({ format: "gauntlet", hero: " Ann " }).terms?.hero, "Ann");
  assert.equal(read({ format: "swiss", hero: "Ann" }).terms?.hero, null);
  assert.equal(hasField("ladder", "late"), false);
});

test("a start lies ahead, rounds have minutes, and tie-breaks are those of the format", () => {
  const start = { format: "swiss", rounds: "4", roundMinutes: "90", tieBreaks: "buchholz,net" };
  const { terms } = read({ ...start, starts: "2199-01-31T19:30" });
  assert.deepEqual(terms?.tie_breaks, ["buchholz", "net"]);
  assert.equal(terms?.round_ms, 5_400_000);
  assert.equal(terms?.starts_ms, new Date(2199, 0, 31, 19, 30).getTime());
  assert.match(read({ starts: "2020-01-31T19:30" }).problems?.starts ?? "", /to come/);
  const other = read({ ...start, format: "round-robin" }).terms;
  assert.deepEqual([other?.tie_breaks, other?.round_ms], [["net"], null]);
  assert.deepEqual(read({ tieBreaks: "" }).terms?.tie_breaks, []);
});

test("invitations name at least two different players, and the hero", () => {
  assert.deepEqual(read({ invited: "Ann, Bo\nCy," }).terms?.invited, ["Ann", "Bo", "Cy"]);
  assert.match(read({ invited: "Ann, ANN" }).problems?.invited ?? "", /twice/);
  assert.match(read({ invited: "Ann" }).problems?.invited ?? "", /at least two/);
  assert.match(read({ format: "gauntlet", hero: "Dora", invited: "Ann, Bo" }).problems?.invited ?? "", /Dora/);
});

test("time controls are read and written as records have them", () => {
  assert.deepEqual(parseTime("60+1/10"), { base_ms: 60_000, increment_ms: 1000, move_ms: 10_000 });
  assert.deepEqual(parseTime("14d"), { base_ms: null, increment_ms: 0, move_ms: 1_209_600_000 });
  assert.deepEqual(parseTime("0/0.05"), { base_ms: null, increment_ms: 0, move_ms: 50 });
  assert.deepEqual(parseTime(" Unlimited "), { base_ms: null, increment_ms: 0, move_ms: null });
  for (const bad of ["", "0", "0+5", "1e3", "0.05", "60+3601", "999999", "0/0.01"]) {
    assert.equal(typeof parseTime(bad), "string", bad);
  }
  assert.deepEqual(["300+3", "0/15", "unlimited", "", "odd"].map(timeText), ["5 min + 3 s", "15 s a move", "no clock", "", "odd"]);
});

test("dates follow the visitor's language and zone", () => {
  const ms = Date.UTC(2026, 10, 22, 12, 5);
  assert.match(dateText(ms, { locale: "en-GB", zone: "UTC" }), /22 Nov 2026, 12:05/);
  assert.match(dateText(ms, { locale: "de", zone: "Asia/Tokyo" }), /22\.11\.2026, 21:05/);
  // A day is the same one everywhere.
  assert.equal(dayText("2026-11-23", "en-GB"), "23 Nov 2026");
  assert.equal(dayText("2026-11-23", "de"), "23.11.2026");
});

test("a rating shows whether it is provisional, and its curve counts games", () => {
  assert.equal(ratingText({ rating: 1499.6, provisional: true }), "1500?");
  const course = { history: [[1, 1500], [2, 1600]], deviations: [200, 100], games: 7 };
  assert.deepEqual(ratingColumns(course), [[6, 7], [1100, 1400], [1900, 1800], [1500, 1600]]);
});

test("boards of a wall keep their places, and new games take those of old ones", () => {
  const wall = new Wall(3);
  const shown = () => wall.tiles.map((tile) => tile.room).join("");
  assert.equal(wall.take(["a", "b", "c", "d"], 0), true);
  assert.equal(shown(), "abc");
  assert.equal(wall.take(["a", "b", "c", "d"], 1), false);
  assert.equal(wall.take(["c", "d", "a"], 2), true); // b is over and stays for a while
  assert.equal(shown(), "abc");
  wall.take(["c", "d", "a"], 2 + LINGER_S);
  assert.equal(shown(), "adc");
  wall.take([], 20);
  wall.take([], 20 + LINGER_S);
  assert.equal(shown(), "adc"); // nothing else to show
  wall.take(["e"], 30 + LINGER_S);
  assert.equal(shown(), "edc");
});

test("a wall drops a room that was closed before its board came, and does not take it again", () => {
  const wall = new Wall(3);
  wall.take(["a", "b", "c", "d"], 0);
  wall.drop("b");
  assert.deepEqual(wall.tiles.map((tile) => tile.room), ["a", "c"]);
  wall.take(["a", "b", "c", "d"], 1); // the list is older than the end of b
  assert.deepEqual(wall.tiles.map((tile) => tile.room), ["a", "c", "d"]);
});

test("a tournament has the days of an offer, unless it pairs who is free", () => {
  const asked = read({ time: "days", days: "7" });
  assert.deepEqual(asked.terms?.settings.time, { base_ms: null, increment_ms: 0, move_ms: 7 * 86_400_000 });
  assert.deepEqual(["swiss", "knockout", "ladder", "arena"].map((format) => hasField(format, "days")), [true, true, false, false]);
});
