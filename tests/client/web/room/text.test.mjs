// The words, permissions, hints and sounds of a room.

import assert from "node:assert/strict";
import { test } from "node:test";

import { roomClock } from "../../../../client/web/models/room/clock.js";
import { HintModel } from "../../../../client/web/models/room/hint.js";
import { RoomPermissions } from "../../../../client/web/models/room/permissions.js";
import { makePanel } from "../../../../client/web/models/room/seats.js";
import { SoundCues } from "../../../../client/web/models/room/sound-cues.js";
import { RoomText } from "../../../../client/web/models/room/text.js";
import * as words from "../../../../client/web/models/room/words.js";
import { ANN, BOT, finish, makeModel, makeRoom, move } from "./rooms.mjs";

const AWAY = { connected: false, claim_in_ms: 30000 };
const HERE = { connected: true, claim_in_ms: null };

function parts(mirror) {
  const model = makeModel(mirror);
  const may = new RoomPermissions(model, { features: true, policy: true });
  may.advice = true;
  return { model, may, text: new RoomText(model, may), hint: new HintModel(model, may) };
}

function absent(seat, over = {}) {
  const seats = [0, 1].map((each) => (each === seat ? AWAY : HERE));
  return makeRoom(over, { presence: { type: "presence", room: "r1", seats, spectators: 2, first_move_in_ms: null } });
}

test("time controls read as in the window", () => {
  const time = (base_ms, increment_ms, move_ms) => words.timeLine({ base_ms, increment_ms, move_ms });
  assert.equal(time(300000, 3000, null), "5 min + 3 s");
  assert.equal(time(null, 0, 10000), "10 s a move");
  assert.equal(time(null, 0, 3 * 86_400_000), "3 days a move");
  assert.equal(time(null, 0, null), "no clock");
  assert.equal(time(4 * 3600000, 0, 2500), "4 h, 2.5 s a move");
});

test("initials differ", () => {
  assert.deepEqual(words.initials("Ann", "Bob"), ["A", "B"]);
  assert.deepEqual(words.initials("Ann", "Amy"), ["An", "Am"]);
  assert.deepEqual(words.initials("Ann", "ann"), ["A1", "A2"]);
});

test("advice says what to expect", () => {
  const line = (net, exact, more = {}) =>
    words.adviceLine({ name: "b5", reason: "", net, exact, unit: "boxes", ...more });
  assert.equal(line(3, true), "Best: b5. You win by 3.");
  assert.equal(line(-2.5, false), "Best: b5. You should lose by about 3.");
  assert.equal(line(0, true), "Best: b5. It ends in a draw.");
  assert.equal(line(-0.4, false), "Best: b5. The game is about even.");
  assert.equal(line(1, true, { unit: "" }), "Best: b5. You win.");
  assert.equal(line(0.8, false, { unit: "" }), "Best: b5. You should win.");
  const bob = { reason: "b5 takes a box.", mover: "Bob" };
  assert.equal(line(-1, true, bob), "b5 takes a box. Bob loses by 1.");
  assert.equal(line(1, false, bob), "b5 takes a box. Bob should win by about 1.");
});

test("the status line follows the turn", () => {
  assert.equal(parts(makeRoom()).text.statusLine, "Your turn.");
  assert.equal(parts(makeRoom({ moves: [0] })).text.statusLine, "Bob is to move.");
  const bot = parts(makeRoom({ moves: [0], players: [ANN, BOT] }));
  assert.equal(bot.text.statusLine, "greedy is thinking.");
  const waiting = { status: "waiting", match: 0, players: [ANN, null] };
  assert.equal(parts(makeRoom(waiting)).text.statusLine, "Waiting for an opponent.");
});

test("the status line asks to wait for the confirmation of a move", () => {
  const { model, text } = parts(makeRoom());
  model.play(0);
  assert.match(text.statusLine, /confirm the last move/);
});

test("an absent opponent can be beaten by a claim after a countdown", () => {
  const { text, may } = parts(absent(1));
  assert.equal(text.absenceLine(0), "Bob is away. You may claim the win in 30 s.");
  assert.equal(may.claim(29), false);
  assert.equal(text.absenceLine(30), "Bob stays away: you may claim the win.");
  assert.equal(may.claim(30), true);
});

test("a spectator sees no claim", () => {
  const { may } = parts(makeRoom({}, { seat: null }));
  assert.equal(may.claim(99), false);
  assert.equal(may.resign, false);
});

test("rematch offers are described for both sides", () => {
  const over = { status: "finished", moves: [0, 1, 2, 3] };
  const theirs = parts(makeRoom({ ...over, rematch: [false, true] }));
  assert.equal(theirs.text.statusLine, "Bob would like a rematch.");
  assert.equal(theirs.may.rematchOffered, true);
  const mine = parts(makeRoom({ ...over, rematch: [true, false] }));
  assert.equal(mine.text.statusLine, "Waiting for Bob to accept a rematch.");
  assert.deepEqual(mine.may.rematchConnections, []);
});

test("an opponent who has left is told apart from one who lost the connection", () => {
  const over = { status: "finished", moves: [0, 1, 2, 3], rematch: [true, false] };
  assert.equal(parts(absent(1, over)).text.statusLine, "Bob is away.");
  const result = { winner: 0, termination: "disconnect", reason: "", returns: [1, -1], game_id: "g1" };
  assert.equal(parts(absent(1, { ...over, result })).text.afterwards, "");
  const left = { connected: false, claim_in_ms: null, left: true };
  const presence = { type: "presence", room: "r1", seats: [HERE, left], spectators: 0, first_move_in_ms: null };
  const { text, model } = parts(makeRoom(over, { presence }));
  assert.equal(text.statusLine, "Bob has left.");
  assert.equal(makePanel(model, 1).note, "has left");
});

test("hints are for casual matches against bots, at one's turn", () => {
  const bot = { players: [ANN, BOT] };
  assert.equal(parts(makeRoom(bot)).may.hint, true);
  assert.equal(parts(makeRoom()).may.hint, false);
  assert.equal(parts(makeRoom({ ...bot, moves: [0] })).may.hint, false);
  const settings = { ...makeRoom().settings, rated: true };
  assert.equal(parts(makeRoom({ ...bot, settings })).may.hint, false);
  assert.equal(parts(makeRoom({ ...bot, settings })).may.overlay, false);
  const dumb = parts(makeRoom(bot));
  dumb.may.advice = false;
  assert.equal(dumb.may.hint, false);
});

test("two people at one page get hints where nothing is at stake", () => {
  const shared = (over = {}) => {
    const mirror = makeRoom({ moves: [0], ...over });
    const found = parts(mirror);
    found.model.take(mirror, makeRoom(over, { seat: 1 }));
    return found;
  };
  const { may, hint } = shared();
  const advice = { match: 1, ply: 1, best: [2], net: 1, exact: true, reason: "e2 is safe." };
  hint.take(hint.ask(0), advice);
  assert.equal(hint.line(0), "e2 is safe. Bob wins by 1.");
  assert.equal(may.hint, true);
  assert.equal(shared({ settings: { ...makeRoom().settings, rated: true } }).may.hint, false);
});

test("a hint is kept until the position changes", () => {
  const mirror = makeRoom({ players: [ANN, BOT] });
  const { model, hint } = parts(mirror);
  const request = hint.ask(0);
  assert.equal(hint.line(3), "Looking for the best move ... 3 s");
  assert.equal(hint.ask(1), null);
  hint.take(request, { match: 1, ply: 0, best: [2, 1], net: 1, exact: true });
  assert.equal(hint.best, 2);
  assert.equal(hint.line(0), "Best: e2. You win by 1.");
  move(mirror, 2);
  model.take(mirror, null);
  hint.update();
  assert.equal(hint.best, null);
  assert.equal(hint.line(0), "");
});

test("a late answer to a dropped hint is ignored", () => {
  const mirror = makeRoom({ players: [ANN, BOT] });
  const { model, hint } = parts(mirror);
  const request = hint.ask(0);
  move(mirror, 2);
  model.take(mirror, null);
  hint.update();
  assert.equal(hint.take(request, { match: 1, ply: 0, best: [1], net: 1, exact: true }), false);
  assert.equal(hint.best, null);
});

test("a failed hint says why", () => {
  const { hint } = parts(makeRoom({ players: [ANN, BOT] }));
  hint.fail(hint.ask(0), "The adviser is busy; try again.");
  assert.equal(hint.line(0), "The adviser is busy; try again.");
});

test("a match can be called off before the own first move", () => {
  const mirror = makeRoom();
  const { model, may } = parts(mirror);
  assert.equal(may.abort, true);
  move(mirror, 0);
  model.take(mirror, null);
  assert.equal(may.abort, false);
});

test("the time for a first move is said to both players", () => {
  const line = (seat, over = {}) => {
    const mirror = makeRoom({ ...over, moves: seat ? [0] : [] });
    mirror.clock.waitForFirstMove(30);
    return parts(mirror).text.firstMoveLine(2.5);
  };
  assert.equal(line(0), "Begin within 28 s, or the match is called off.");
  assert.equal(line(1), "The first move must come within 28 s.");
  const tag = { tournament: "t1", pairing: 0, game: 0, attempt: 1 };
  assert.equal(line(0, { tag }), "Begin within 28 s, or the game is lost.");
  assert.equal(parts(makeRoom()).text.firstMoveLine(2.5), "");
});

test("spectators and private rooms are mentioned", () => {
  const { text } = parts(absent(null, { private: true }));
  assert.deepEqual(text.about, ["1 min", "casual", "private", "2 people watching"]);
});

test("sounds: an opponent's move, one's turn, a capture, the result", () => {
  const mirror = makeRoom({ moves: [0] });
  const model = makeModel(mirror);
  const cues = new SoundCues(model);
  assert.equal(cues.afterUpdate(), null);
  move(mirror, 1);
  model.take(mirror, null);
  assert.equal(cues.afterUpdate(), "turn");
  move(mirror, 2);
  model.take(mirror, null);
  assert.equal(cues.afterUpdate(true), null);
  move(mirror, 3);
  model.take(mirror, null);
  assert.equal(cues.afterUpdate(), "capture");
  finish(mirror, "completed", 1);
  model.take(mirror, null);
  assert.equal(cues.afterUpdate(), "lost");
});

test("a clock that runs low sounds once", () => {
  const cues = new SoundCues(makeModel());
  assert.deepEqual([0, 49, 51, 52].map((now) => cues.at(now)), [null, null, "low", null]);
});

test("the mover's clock counts down, the other one stands", () => {
  const mirror = makeRoom();
  assert.deepEqual(roomClock(mirror, 0, 10), { ms: 50000, runs: true });
  assert.deepEqual(roomClock(mirror, 1, 10), { ms: 60000, runs: false });
});

test("the limit of a move is shown when it ends first", () => {
  const settings = { ...makeRoom().settings };
  settings.time = { base_ms: null, increment_ms: 0, move_ms: 5000 };
  const mirror = makeRoom({ settings, clock_ms: null });
  assert.deepEqual(roomClock(mirror, 0, 2), { ms: 3000, runs: true });
  assert.deepEqual(roomClock(mirror, 1, 2), { ms: 5000, runs: false });
});

test("the room names the person who arranged a match of bots", () => {
  const bots = { players: [BOT, { ...BOT, name: "rules" }] };
  const arranged = parts(makeRoom({ ...bots, asked_by: "Zoe" }, { seat: null })).text.about;
  assert.ok(arranged.includes("arranged by Zoe"), String(arranged));
  const plain = parts(makeRoom(bots, { seat: null })).text.about;
  assert.ok(!plain.some((part) => part.includes("arranged")));
});

test("a heat map is for those who may have hints, and for spectators", () => {
  const { may } = parts(makeRoom({ players: [ANN, BOT] }));
  assert.equal(may.heat, may.hintsGiven);
  assert.equal(may.heat, true);
  assert.equal(new RoomPermissions(makeModel(makeRoom({ players: [ANN, BOT] })), { features: true, policy: false }).heat, false);
  const settings = { ...makeRoom().settings, rated: true };
  const { may: rated } = parts(makeRoom({ players: [ANN, BOT], settings }));
  assert.equal(rated.heat, false);
});
