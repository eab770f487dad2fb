// What a person types below the moves, in a real room over a fake socket.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Commands } from "../../../../client/web/pages/room/commands.js";
import { RoomVisit } from "../../../../client/web/pages/room/visit.js";
import { ANN, snapshot } from "../../../node/server-messages.mjs";
import { Seat, settle } from "../app/seat.mjs";

globalThis.fetch = async () => new Response('{"positions": []}');

const BOT = { name: "easy", kind: "bot", engine: null };
const WON = { winner: 0, termination: "resigned", reason: "", returns: [1, -1], game_id: "g1" };

async function typing(changes = {}, top = {}) {
  const seat = new Seat();
  seat.welcome({ advice: true });
  const visit = new RoomVisit(seat.app, "r1", "");
  visit.begin();
  seat.serve({ seat: 0, snapshot: snapshot(changes), ...top });
  await settle();
  const room = visit.state.value.room;
  const commands = new Commands(room);
  /** Type a line; return the answer and the types of the requests that it caused. */
  const type = (line) => [commands.answer(line), ...seat.asked().map((each) => each.type)];
  return { seat, room, type };
}

test("a hint can be asked for against a bot, at one's turn", async () => {
  const bot = await typing({ players: [ANN, BOT] });
  assert.deepEqual(bot.type("hint"), ["Looking for the best move ...", "get_advice"]);
  const waits = await typing({ players: [ANN, BOT], moves: [0], to_move: 1 });
  assert.deepEqual(waits.type("hint"), ["A hint is for your turn. easy is thinking."]);
  const person = await typing();
  assert.match(person.type("hint")[0], /^There is no move or command "hint"/);
});

test("resigning asks first", async () => {
  const { type } = await typing();
  assert.deepEqual(type("yes"), ['There is no move or command "yes". Type help for a list.']);
  assert.match(type("resign")[0], /^Resign this match\? Type yes/);
  assert.deepEqual(type("no"), ["You play on."]);
  type("resign");
  assert.match(type("turn")[0], /Your turn/);
  assert.match(type("yes")[0], /There is no/);
  type("resign");
  assert.deepEqual(type("Yes"), ["You resign.", "resign"]);
});

test("the question about one match does not count for the next one", async () => {
  const { type, room } = await typing();
  type("resign");
  room.model.mirror.match = 2;
  assert.match(type("yes")[0], /There is no/);
});

test("a match is called off, and its win claimed, only while that is possible", async () => {
  const away = { type: "presence", room: "r1", spectators: 0, first_move_in_ms: null };
  const here = { connected: true, claim_in_ms: null };
  const { type } = await typing();
  assert.deepEqual(type("claim"), ["Your opponent is here."]);
  assert.deepEqual(type("call off"), ["", "abort"]);
  const left = (claim_in_ms) => ({ presence: { ...away, seats: [here, { connected: false, claim_in_ms }] } });
  const soon = await typing({}, left(5000));
  assert.deepEqual(soon.type("claim"), ["Bob is away. You may claim the win in 5 s."]);
  const now = await typing({}, left(0));
  assert.deepEqual(now.type("claim"), ["", "claim"]);
});

test("a move is played, and earlier positions are shown", async () => {
  const { type, room } = await typing({ moves: [3], to_move: 0 });
  type("back");
  assert.equal(room.model.ply, 0);
  type("latest");
  assert.equal(room.model.viewing, null);
  assert.deepEqual(type("draw b"), ["", "move"]);
});

test("after a match there is a rematch, and no resignation", async () => {
  const { type } = await typing({ status: "finished", to_move: null, result: WON, clock_runs: false });
  assert.equal(type("turn")[0], "You won 0 : 0. Bob resigned.");
  assert.match(type("resign")[0], /There is no/);
  assert.deepEqual(type("rematch"), ["", "rematch"]);
});

test("help names all commands that are of use, and explains each", async () => {
  const { type, room } = await typing({ players: [ANN, BOT] });
  const [help] = type("help");
  for (const word of ["score", "clock", "last", "turn", "board", "legal", "hint", "resign", "call off", "claim"]) {
    assert.match(help, new RegExp(`[;.] ${word}: \\w`), word);
  }
  assert.doesNotMatch(help, /rematch|lobby/);
  assert.equal(room.model.playing, true);
});

test("a spectator can look and leave, but not act", async () => {
  const { type, seat } = await typing({}, { seat: null });
  const [help] = type("help");
  assert.doesNotMatch(help, /resign|claim|rematch|hint/);
  assert.deepEqual(type("lobby"), ["", "leave"]);
  assert.deepEqual(seat.paths, ["/"]);
});
