// The games in play: which wait for the player, their times, and when the page asks for them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { badged } from "../../../../client/web/app/badge.js";
import { leaveFinished } from "../../../../client/web/app/finished.js";
import { followOpenGames } from "../../../../client/web/app/open-games.js";
import { positionOf, turnLine } from "../../../../client/web/models/open-games.js";
import { quickMatch } from "../../../../client/web/pages/begin/actions.js";
import { ANN, BOB, BOARD, presence, roomState, SMALL, snapshot } from "../../../node/server-messages.mjs";
import { Seat, settle } from "./seat.mjs";

const DAY_MS = 86_400_000;
const SLOW = { ...SMALL, time: { base_ms: null, increment_ms: 0, move_ms: 3 * DAY_MS } };
const TURN = { type: "your_turn", room: "r2", match: 1, ply: 4, opponent: "Bob", left_ms: 3 * DAY_MS };

function game(room, changes = {}) {
  const position = { to_move: 0, plies: 0, scores: [0, 0], left_ms: DAY_MS, board: BOARD };
  return { room, match: 1, settings: SLOW, players: [ANN, BOB], seat: 0, ...position, ...changes };
}

/** A page that is connected; `list` answers the request for the games that it made. */
async function connected() {
  const seat = new Seat();
  followOpenGames(seat.app);
  leaveFinished(seat.app);
  seat.welcome();
  await settle();
  const list = (...games) => {
    const [{ id, type }, ...more] = seat.asked();
    assert.deepEqual([type, more], ["get_open_games", []]);
    seat.socket.tell({ type: "open_games", id, games });
  };
  return { seat, list };
}

test("games by days in which it is the player's turn wait", async () => {
  const { seat, list } = await connected();
  list(game("r1"), game("live", { settings: SMALL }), game("r2", { to_move: 1 }));
  assert.deepEqual(seat.app.waiting.map(({ room }) => room), ["r1"]);
  seat.socket.tell(TURN);
  list(game("r1"), game("r2"));
  assert.equal(seat.app.waiting.length, 2);
});

test("an own move asks for the list, and another page leaves the room", async () => {
  const { seat, list } = await connected();
  list(game("r1"));
  seat.place.value = { name: "room", params: { id: "r1" } };
  void seat.app.request({ type: "watch", room: "r1", code: null });
  const shown = snapshot({ settings: SLOW, clock_ms: null });
  seat.serve({ seat: 0, presence: presence("r1"), snapshot: shown, move_left_ms: DAY_MS });
  await settle();
  list(game("r1"));
  const mirror = seat.app.session.rooms.get("r1");
  assert.equal(mirror.clock.moveLeftMs(seat.app.now()), DAY_MS);
  const move = { type: "move", seq: mirror.seq + 1, match: 1, ply: 0, seat: 0, action: 0, to_move: 1, scores: [0, 0] };
  const times = { clock_ms: null, elapsed_ms: 5, expected: null, fallback: false, takebacks: 0 };
  seat.socket.tell({ room: "r1", id: null, ...move, ...times, board: { ...BOARD, legal: "0111" } });
  list(game("r1", { to_move: 1, plies: 1 }));
  seat.place.value = { name: "lobby", params: {} };
  assert.deepEqual(seat.asked().map(({ type, room }) => [type, room]), [["leave", "r1"]]);
});

test("a quick match by days opens a public room, which outlives the connection", async () => {
  const { seat, list } = await connected();
  list();
  void quickMatch(seat.app, SLOW);
  await settle();
  const [{ type, private: closed, settings }] = seat.asked();
  assert.deepEqual([type, closed, settings.time], ["create_room", false, SLOW.time]);
});

test("a line tells whose turn it is and how long, and its board what is drawn", () => {
  assert.equal(turnLine(game("r1"), 3_600_000), "Your turn · 23 h left");
  assert.equal(turnLine(game("r1", { to_move: 1, left_ms: null }), 0), "Bob to move");
  const shown = positionOf({ board: { cells: ".", legal: "0110", winning: [] }, drawers: "1...", to_move: 0 });
  assert.deepEqual([shown.played, shown.drawers], [[0, 3], [1, null]]);
});

test("the icon shows the number of games", () => {
  const svg = decodeURIComponent(badged("<svg><path/></svg>", 12));
  assert.match(svg, /^data:image\/svg\+xml,<svg><path\/><circle.*>9\+<\/text><\/svg>$/);
});

test("a game without a clock against a bot waits too, unless this page has its room", async () => {
  const { seat, list } = await connected();
  const untimed = { settings: { ...SMALL, time: {} }, players: [ANN, { ...BOB, kind: "bot" }] };
  list(game("left", untimed), game("rated", { ...untimed, settings: { ...untimed.settings, rated: true } }));
  assert.deepEqual(seat.app.waiting.map(({ room }) => room), ["left"]);
  seat.socket.tell(roomState(null, { room: "left", snapshot: snapshot(untimed) }));
  assert.deepEqual(seat.app.waiting, []);
});
