// Messages of a server, for tests of the page that need no real one.

export const LIMITS = {
  frame_bytes: 8192,
  messages_per_s: 0,
  grace_ms: 30_000,
  silence_ms: 60_000,
};
export const SMALL = {
  game: "dots-and-boxes",
  params: { rows: 1, cols: 1 },
  opening: [],
  start: [],
  time: { base_ms: 60_000, increment_ms: 0, move_ms: null },
  rated: false,
};
export const ANN = { name: "Ann", kind: "human", engine: null };
export const BOB = { name: "Bob", kind: "human", engine: null };
export const BOARD = { cells: ".", legal: "1111", winning: [] };

export function welcome(id, changes = {}) {
  return {
    type: "welcome",
    id,
    protocol: 2,
    server: "fake",
    epoch: "e1",
    player: ANN,
    token: "token-of-ann-0123456789",
    rooms: [],
    http: null,
    page: null,
    advice: false,
    limits: LIMITS,
    ...changes,
  };
}

export function presence(room = "r1", changes = {}) {
  const here = { connected: true, claim_in_ms: null };
  return { type: "presence", room, seats: [here, here], spectators: 0, ...changes };
}

/** Return a snapshot of a room in which Ann (seat 0) and Bob play, before the first move. */
export function snapshot(changes = {}) {
  return {
    seq: 4,
    settings: SMALL,
    private: false,
    tag: null,
    status: "playing",
    players: [ANN, BOB],
    match: 1,
    moves: [],
    movers: "01".repeat(changes.moves?.length ?? 0).slice(0, changes.moves?.length ?? 0),
    to_move: 0,
    scores: [0, 0],
    clock_ms: [60_000, 60_000],
    clock_runs: true,
    started_at: 7,
    rematch: [false, false],
    result: null,
    takebacks: 0,
    takeback: null,
    ...changes,
  };
}

export function roomState(id, changes = {}) {
  return {
    type: "room_state",
    id,
    room: "r1",
    seat: 0,
    origin: null,
    code: null,
    snapshot: snapshot(),
    events: null,
    clock_ms: null,
    clock_runs: false,
    presence: presence(changes.room),
    board: BOARD,
    ...changes,
  };
}

/** Return a move of a match on one box; the edges are played in any order. */
export function move(seq, action, changes = {}) {
  const ply = seq - 5;
  return {
    type: "move",
    room: "r1",
    seq,
    id: null,
    match: 1,
    ply,
    seat: ply % 2,
    action,
    to_move: 1 - (ply % 2),
    scores: [0, 0],
    clock_ms: [60_000, 60_000],
    elapsed_ms: 3,
    expected: null,
    fallback: false,
    takebacks: 0,
    board: BOARD,
    ...changes,
  };
}

export function refused(id, code, message = "No.") {
  return { type: "error", id, code, message };
}

export function event(type, seq, fields) {
  return { type, room: "r1", seq, id: null, ...fields };
}

export function started(seq, match, players, changes = {}) {
  return event("match_started", seq, {
    match,
    players,
    to_move: 0,
    clock_ms: [60_000, 60_000],
    at: 7,
    board: BOARD,
    ...changes,
  });
}

export function finished(seq, match, termination, winner, changes = {}) {
  return event("match_finished", seq, {
    match,
    termination,
    winner,
    returns: winner === null ? [0, 0] : winner === 0 ? [1, -1] : [-1, 1],
    scores: [0, 0],
    clock_ms: [60_000, 60_000],
    game_id: `r1-${match}`,
    at: 9,
    reason: "",
    ...changes,
  });
}
