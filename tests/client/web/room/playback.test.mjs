// What a spectator sees of a match, and when: paused, slowed down, behind, live.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Playback, REPLAY_S } from "../../../../client/web/models/room/playback.js";
import { makePanel } from "../../../../client/web/models/room/seats.js";
import { SoundCues } from "../../../../client/web/models/room/sound-cues.js";
import { RoomText } from "../../../../client/web/models/room/text.js";
import { ANN, BOT, finish, makeModel, makeRoom, move } from "./rooms.mjs";

/** The playback of a spectator who has just come to match 1, which has `total` moves. */
function watched(total = 10) {
  const playback = new Playback();
  playback.follow(1, total, false, 0);
  return playback;
}

/** Tick every tenth of a second; return when a move appeared. */
function run(playback, start, end) {
  const times = [];
  for (let tenth = Math.round(start * 10); tenth <= end * 10; tenth++) {
    if (playback.tick(tenth / 10)) times.push(tenth / 10);
  }
  return times;
}

test("moves appear as they come", () => {
  const playback = watched(7);
  playback.follow(1, 9, false, 1);
  assert.deepEqual([playback.at, playback.behind, playback.still], [null, 0, false]);
  assert.deepEqual(run(playback, 1, 9), []);
});

test("moves wait during a pause, and follow one by one", () => {
  const playback = watched(10);
  playback.playOrPause(1);
  assert.deepEqual([playback.at, playback.behind, playback.still], [10, 0, true]);
  playback.follow(1, 13, false, 2);
  assert.deepEqual([playback.at, playback.behind], [10, 3]);
  assert.deepEqual(run(playback, 2, 60), []);
  playback.playOrPause(60);
  assert.equal(playback.pace, REPLAY_S);
  assert.deepEqual(run(playback, 60, 70), [61, 62, 63]);
  assert.deepEqual([playback.at, playback.behind], [null, 0]);
});

test("a pause without new moves ends live", () => {
  const playback = watched(10);
  playback.playOrPause(1);
  playback.playOrPause(2);
  assert.deepEqual([playback.at, playback.pace, playback.paused], [null, null, false]);
});

test("steps pause and stay within the match; live jumps", () => {
  const playback = watched(10);
  playback.choose(2);
  playback.look(4);
  assert.deepEqual([playback.at, playback.behind, playback.paused], [4, 6, true]);
  playback.look(-3);
  assert.equal(playback.at, 0);
  playback.look(99);
  assert.deepEqual([playback.at, playback.paused], [10, true]);
  playback.live();
  assert.deepEqual([playback.at, playback.pace, playback.paused], [null, null, false]);
});

for (const pace of [0.5, 1, 2]) {
  test(`no two moves appear faster than ${pace} s a move`, () => {
    const playback = watched(0);
    playback.choose(pace);
    const times = [];
    let total = 0;
    for (let step = 1; step <= 4000; step++) {
      const before = total - playback.behind;
      // Bursts and pauses.
      if (total < 30 && step % 7 < 2) {
        total += step % 3 ? 1 : 3;
        playback.follow(1, total, false, step / 20);
      }
      playback.tick(step / 20);
      const shown = total - playback.behind;
      if (shown !== before) {
        assert.equal(shown, before + 1);
        times.push(step / 20);
      }
    }
    assert.equal(times.length, total);
    times.slice(1).forEach((time, at) => assert.ok(time - times[at] >= pace - 1e-9));
    assert.equal(playback.at, null);
  });
}

test("a slow move appears at once, a quick one after the pace", () => {
  const playback = watched(5);
  playback.choose(2);
  playback.follow(1, 6, false, 100);
  assert.equal(playback.behind, 0);
  playback.follow(1, 7, false, 100.5);
  assert.deepEqual(run(playback, 100.5, 110), [102]);
});

test("as they come leads to the latest position unless paused", () => {
  const playback = watched(5);
  playback.choose(2);
  playback.follow(1, 9, false, 1);
  assert.equal(playback.behind, 3);
  playback.choose(null);
  assert.equal(playback.at, null);
  playback.look(2);
  playback.choose(0.5);
  playback.choose(null);
  assert.deepEqual([playback.at, playback.paused], [2, true]);
});

test("moves that are taken back disappear", () => {
  const playback = watched(10);
  playback.look(8);
  playback.follow(1, 6, false, 1);
  assert.deepEqual([playback.at, playback.behind, playback.paused], [6, 0, true]);
});

test("the next match begins live, or at its start with a pace", () => {
  const playback = watched(10);
  playback.look(4);
  playback.follow(2, 1, false, 1);
  assert.deepEqual([playback.at, playback.paused], [null, false]);
  playback.choose(1);
  playback.restart(1);
  playback.follow(3, 2, false, 1.5);
  assert.equal(playback.behind, 2);
  assert.deepEqual(run(playback, 1.5, 5), [2, 3]);
});

test("what is behind plays out before the end is shown, and the end stays known", () => {
  const playback = watched(10);
  playback.choose(1);
  playback.follow(1, 12, true, 1);
  assert.deepEqual([playback.behind, playback.hidesEnd], [1, true]);
  assert.deepEqual(run(playback, 1, 5), [2]);
  assert.deepEqual([playback.hidesEnd, playback.still], [false, true]);
  playback.look(3);
  assert.deepEqual([playback.at, playback.hidesEnd], [3, false]);
  playback.look(12);
  assert.deepEqual([playback.at, playback.paused], [null, false]);
  playback.playOrPause(5);
  assert.deepEqual([playback.at, playback.still], [0, false]);
});

test("live shows the end at once", () => {
  const playback = watched(10);
  playback.look(4);
  playback.follow(1, 10, true, 1);
  assert.equal(playback.hidesEnd, true);
  playback.live();
  assert.equal(playback.hidesEnd, false);
});

test("a spectator sees board, scores and turn of one position, and the result at the end", () => {
  const mirror = makeRoom({ players: [ANN, BOT] }, { seat: null });
  const model = makeModel(mirror);
  const text = new RoomText(model, /** @type {any} */ ({}));
  const cues = new SoundCues(model);
  model.watch((playback) => playback.choose(1));
  for (const action of [0, 1, 2]) {
    move(mirror, action);
    model.take(mirror, null, 1);
  }
  assert.equal(model.ply, 1);
  assert.deepEqual(model.shown.played, [0]);
  assert.deepEqual([makePanel(model, 1).toMove, makePanel(model, 1).thinking], [true, false]);
  assert.equal(model.clock(0, 1), null);
  assert.deepEqual(text.place, { before: "Move 1 of 3 · ", main: "2 moves behind", after: "" });
  assert.equal(cues.afterUpdate(), "draw");
  move(mirror, 3);
  finish(mirror, "completed", 1);
  model.take(mirror, null, 1.5);
  assert.deepEqual([model.over, model.showsEnd, model.ending], [true, false, null]);
  assert.deepEqual([text.toLatest, cues.afterUpdate()], ["Live", null]);
  assert.deepEqual([1.5, 2, 3, 4].map((now) => model.tick(now)), [false, true, true, true]);
  assert.equal(model.ending?.winner, 1);
  assert.equal(cues.afterUpdate(), "won");
  model.lookAt(2);
  assert.deepEqual(text.place, { before: "", main: "Move 2 of 4", after: " · an earlier position" });
  assert.notEqual(model.ending, null);
});

test("players always see the match", () => {
  const mirror = makeRoom();
  const model = makeModel(mirror);
  move(mirror, 0);
  model.take(mirror, null, 1);
  model.lookAt(0);
  move(mirror, 1);
  model.take(mirror, null, 2);
  assert.equal(model.viewing, 0);
  assert.equal(model.tick(99), false);
  assert.equal(model.viewing, 0);
});
