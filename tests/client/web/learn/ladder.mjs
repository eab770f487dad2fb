// The ladder of levels: the page's rules give what those of Python do, and each match counts once.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { adviceFor, followLadder } from "../../../../client/web/app/ladder.js";
import { ladderAdvice, readResults, withResult } from "../../../../client/web/models/lobby/ladder.js";
import { ANN, BOB, finished, presence, snapshot, started } from "../../../node/server-messages.mjs";
import { Seat, settle } from "../app/seat.mjs";

const { ladder } = JSON.parse(readFileSync(process.env.RECORDED, "utf-8"));
const MEDIUM = { name: "Max", kind: "bot", engine: { name: "medium", version: "1" } };
const RULES = { name: "Rob", kind: "bot", engine: { name: "rules", version: "1" } };
const SETTINGS = snapshot().settings;
const KEY = `${SETTINGS.game} ${Object.values(SETTINGS.params).join("x")} medium`;

test("results are counted as in Python", () => {
  assert.ok(ladder.texts.length > 300);
  for (const [games, text] of ladder.texts) {
    const found = games.reduce(withResult, "0 0 0 ");
    assert.equal(found, text);
  }
});

test("the same is said about each level as in Python", () => {
  for (const [kept, said] of ladder.advice) {
    for (const [level, sentence] of Object.entries(said)) {
      assert.equal(ladderAdvice(level, (each) => kept[each]), sentence, JSON.stringify(kept));
    }
  }
  const all = ladder.advice.flatMap(([, said]) => Object.values(said)).join(" ");
  for (const part of ["Try tricky next.", "This is your next level.", " drawn, ", ""]) {
    assert.ok(all.includes(part), part);
  }
});

test("results that somebody has changed by hand begin again", () => {
  for (const text of [undefined, null, 7, "", "1 0 0", "0 0 0 W", "1 1 1 WDLX", "9 0 0 WWWWW", "-1 0 0 "]) {
    assert.deepEqual(readResults(text), { wins: 0, draws: 0, losses: 0, recent: "" });
  }
  assert.equal(withResult("0 0 0 W", 1), "1 0 0 W");
  assert.equal(ladderAdvice("nobody", () => "2 0 0 WW"), "");
});

/** Enter a room in which a match is played, and return the person at the page. */
async function playing(changes = {}) {
  const seat = new Seat();
  followLadder(seat.app);
  seat.welcome();
  await enter(seat, changes);
  return seat;
}

async function enter(seat, changes) {
  void seat.app.request({ type: "watch", room: "r1", code: null });
  const [{ id }] = seat.asked();
  const board = { cells: ".", legal: "1111", winning: [] };
  const common = { type: "room_state", id, room: "r1", seat: 0, origin: null, code: null, events: null };
  const shown = snapshot({ players: [ANN, MEDIUM], ...changes });
  const clock = { clock_ms: [60_000, 60_000], clock_runs: true };
  seat.socket.tell({ ...common, ...clock, board, presence: presence(), snapshot: shown });
  await settle();
}

const kept = (seat) => seat.app.storage.get("ladder")?.results ?? {};
const about = (seat, level) => adviceFor(seat.app.storage, SETTINGS.game, KEY.split(" ")[1], level);

test("each match counts once, also when its room comes again", async () => {
  const seat = await playing();
  assert.deepEqual(kept(seat), {});
  seat.socket.tell(finished(5, 1, "resigned", 0));
  await settle();
  assert.deepEqual(kept(seat), { [KEY]: "1 0 0 W" });
  assert.equal(about(seat, "medium"), "Your score against medium: 1 won, 0 lost.");
  seat.socket.tell(started(6, 2, ["Max", "Ann"]));
  seat.socket.tell(finished(7, 2, "resigned", 1));
  await settle();
  assert.deepEqual(kept(seat), { [KEY]: "2 0 0 WW" });
  assert.equal(about(seat, "medium"), "Your score against medium: 2 won, 0 lost. Try tricky next.");
  assert.equal(about(seat, "tricky"), "This is your next level.");

  // After a reload the room comes as a whole, with its finished match.
  const again = new Seat();
  for (const [key, text] of seat.kept) again.kept.set(key, text);
  followLadder(again.app);
  again.welcome();
  const result = { winner: 1, termination: "resigned", reason: "", returns: [-1, 1], game_id: "r1-2" };
  const over = { status: "finished", to_move: null, clock_runs: false, result };
  await enter(again, { ...over, match: 2, players: [MEDIUM, ANN] });
  assert.deepEqual(kept(again), { [KEY]: "2 0 0 WW" });
  // One that ended while the page was closed counts now.
  await enter(again, { ...over, match: 3, result: { ...result, winner: 0, game_id: "r1-3" }, seq: 9 });
  assert.deepEqual(kept(again), { [KEY]: "3 0 0 WWW" });
});

test("other matches do not count", async () => {
  const cases = [
    { players: [ANN, BOB] },
    { players: [ANN, RULES] },
    { settings: { ...SETTINGS, opening: [0] } },
    { settings: { ...SETTINGS, start: [0] } },
  ];
  for (const changes of cases) {
    const seat = await playing(changes);
    seat.socket.tell(finished(5, 1, "resigned", 0));
    await settle();
    assert.equal(seat.app.session.rooms.get("r1").status, "finished");
    assert.deepEqual(kept(seat), {}, JSON.stringify(changes));
  }
  const seat = await playing();
  seat.socket.tell(finished(5, 1, "aborted", null));
  await settle();
  assert.deepEqual(kept(seat), {});
});
