// Build rooms for the tests of the models: real mirrors, fed with messages of the server.

import { RoomMirror } from "../../../../client/web/core/room.js";
import { RoomModel } from "../../../../client/web/models/room/model.js";

export const ANN = { name: "Ann", kind: "human", engine: null };
export const BOB = { name: "Bob", kind: "human", engine: null };
export const BOT = { name: "greedy", kind: "bot", engine: { name: "greedy", version: "1" } };

/** Dots and Boxes 1x1: four edges a1 (left), b0 ... named e0 to e3. */
export const GEOMETRY = {
  game: "dots-and-boxes",
  size: "1x1",
  title: "Dots and Boxes 1x1",
  width: 1,
  height: 1,
  points: [],
  segments: [],
  cells: [],
  regions: [],
  pieces: "fill",
  dots: true,
  names: ["e0", "e1", "e2", "e3"],
  seat_names: ["X", "O"],
  unit: "boxes",
  max_score: 1,
  max_moves: 4,
};

const HERE = { connected: true, claim_in_ms: null, left: false, takebacks: true };

/** The position after some moves, by the rules of Dots and Boxes 1x1. */
export function boardAfter(moves, playing = true) {
  const legal = [0, 1, 2, 3].map((action) => (playing && !moves.includes(action) ? "1" : "0"));
  const owner = moves.length === 4 ? "1" : ".";
  return { cells: owner, legal: legal.join(""), winning: [] };
}

/** A mirror of a room at `now` 0; `over` replaces fields of the snapshot, `top` of the message. */
export function makeRoom(over = {}, top = {}) {
  const moves = over.moves ?? [];
  const status = over.status ?? "playing";
  const snapshot = {
    seq: 5,
    settings: {
      game: "dots-and-boxes",
      params: { rows: 1, cols: 1 },
      opening: [], start: [],
      time: { base_ms: 60000, increment_ms: 0, move_ms: null },
      rated: false,
    },
    private: false,
    tag: null,
    asked_by: null,
    status,
    players: [ANN, BOB],
    match: 1,
    moves,
    movers: "0101".slice(0, moves.length),
    to_move: status === "playing" ? moves.length % 2 : null,
    scores: moves.length === 4 ? [0, 1] : [0, 0],
    clock_ms: [60000, 60000],
    clock_runs: status === "playing",
    rematch: [false, false],
    result: null,
    started_at: 1,
    takebacks: 0,
    takeback: null,
    ...over,
  };
  return new RoomMirror(
    {
      type: "room_state",
      id: null,
      room: "r1",
      seat: 0,
      origin: null,
      code: null,
      clock_ms: snapshot.clock_ms,
      clock_runs: snapshot.clock_runs,
      presence: { type: "presence", room: "r1", seats: [HERE, HERE], spectators: 0, first_move_in_ms: null },
      events: null,
      snapshot,
      board: boardAfter(moves, status === "playing"),
      ...top,
    },
    0,
  );
}

/** Apply the move `action` of the seat to move. */
export function move(mirror, action, now = 0) {
  const ply = mirror.moves.length;
  const moves = [...mirror.moves, action];
  const over = moves.length === 4;
  mirror.apply(
    {
      type: "move",
      id: null,
      room: mirror.room,
      seq: mirror.seq + 1,
      match: mirror.match,
      ply,
      seat: mirror.toMove,
      action,
      scores: over ? [0, 1] : [0, 0],
      to_move: over ? null : moves.length % 2,
      clock_ms: [60000, 60000],
      at: 1,
      expected: null,
      fallback: false,
      takebacks: mirror.takebacks,
      board: boardAfter(moves),
    },
    now,
  );
}

/** Let `seat` ask to return to `ply`. */
export function askBack(mirror, seat, ply) {
  const { room, match } = mirror;
  const type = "takeback_asked";
  mirror.apply({ type, id: null, room, seq: mirror.seq + 1, match, seat, ply }, 0);
}

/** Return to `ply`. */
export function takeBack(mirror, ply) {
  const { room, match } = mirror;
  const moves = mirror.moves.slice(0, ply);
  const seat = ply % 2;
  mirror.apply(
    {
      type: "takeback",
      id: null,
      room,
      seq: mirror.seq + 1,
      match,
      seat,
      ply,
      takebacks: mirror.takebacks + 1,
      to_move: seat,
      scores: [0, 0],
      clock_ms: [60000, 60000],
      board: boardAfter(moves),
    },
    0,
  );
}

/** End the match of a mirror. */
export function finish(mirror, termination, winner, reason = "") {
  mirror.apply(
    {
      type: "match_finished",
      id: null,
      room: mirror.room,
      seq: mirror.seq + 1,
      match: mirror.match,
      termination,
      winner,
      returns: [0, 0],
      game_id: "g1",
      reason,
      scores: mirror.scores,
      clock_ms: [60000, 60000],
      at: 1,
    },
    0,
  );
}

export function makeModel(mirror = makeRoom(), geometry = GEOMETRY) {
  return new RoomModel(mirror, geometry);
}
