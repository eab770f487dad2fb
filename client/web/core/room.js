// Mirror one followed room from its numbered events and the positions that the server sends.
//
// Theory of operation
// -------------------
// The server describes a room as a stream of numbered events. The mirror applies each event once
// and in order. It knows no rules: the server adds the position, a `BoardState`, to each move and
// start of a match, and to each `room_state`. The mirror checks the rest: the numbers, the match,
// the ply, the seat to move, and that the action was legal on the last board. It ignores an event
// that it has already applied. A number that is too high throws `Gap`: the caller asks for the
// events after `seq`. An event that contradicts the mirror throws `Desync`: the caller asks for a
// snapshot. Both errors leave the mirror unchanged.
//
// When the server lists the missed events after a reconnect, a hole in the numbers is not a gap.
// The missing numbers belong to event types that this client does not know. If such an event
// changed the game, a later move contradicts the mirror, and the snapshot that the caller then asks
// for repairs it.

import { RoomClock } from "./clock.js";
import { Desync, Gap } from "./errors.js";
import { endOf, startOf } from "./snapshot.js";
import { told } from "../texts.js";

/**
 * @import { BoardState, MatchFinished, MatchResult, MatchSettings, MatchStarted, MoveMade,
 *   OpenTakeback, PairTag, PlayerInfo, Presence, RematchOffered, RoomCreated, RoomEvent, RoomState,
 *   Seated, Snapshot, TakebackAsked, TakenBack } from "./messages.js"
 */

/**
 * @template T
 * @typedef {[T, T]} Pair
 */

/**
 * One followed room; callers only read it.
 *
 * `seat` is this player's seat, or null for a spectator. `moves` are the actions of the current or
 * last match after the opening, `movers` the seats that made them, `board` is its position. `clock` has the remaining times. `claimAt`
 * has, for each seat whose player is away, the time in seconds from which the opponent may claim
 * the win. `takebacks` is the number of takebacks in the match, `takeback` the request for one that
 * waits for its answer. `expected` is the final net score that each seat last expected for itself. `started`,
 * `lastMove` and `finished` are events of the current match, or null while unknown. `askedBy` is the
 * person who arranged the match of two bots. `sentence` is the reason why the room was closed.
 */
export class RoomMirror {
  seq = 0;
  /** @type {number | null} */
  seat = null;
  /** @type {Pair<PlayerInfo | null>} */
  players = [null, null];
  private = false;
  /** @type {PairTag | null} */
  tag = null;
  /** @type {string | null} */
  askedBy = null;
  /** @type {"waiting" | "playing" | "finished" | "closed"} */
  status = "waiting";
  match = 0;
  /** @type {number[]} */
  moves = [];
  /** @type {number[]} */
  movers = [];
  /** @type {Pair<number>} */
  scores = [0, 0];
  /** @type {Pair<boolean>} */
  rematch = [false, false];
  /** @type {MatchResult | null} */
  result = null;
  takebacks = 0;
  /** @type {OpenTakeback | null} */
  takeback = null;
  /** @type {Pair<number | null>} */
  expected = [null, null];
  /** @type {MatchStarted | null} */
  started = null;
  /** @type {MoveMade | null} */
  lastMove = null;
  /** @type {MatchFinished | null} */
  finished = null;
  /** @type {string | null} */
  code = null;
  sentence = "";
  /** @type {number | null} */
  #mover = null;

  /**
   * Build the room of a `room_state` that has a snapshot, or all events from the first.
   *
   * Throws Desync when the message has neither, or contradicts itself.
   * @param {RoomState} message
   * @param {number} now in seconds
   */
  constructor(message, now) {
    const first = message.snapshot ?? message.events?.[0];
    if (first === undefined || !("settings" in first)) {
      throw new Desync(`Room ${message.room} came without its first event or a snapshot.`);
    }
    this.room = message.room;
    /** @type {MatchSettings} */
    this.settings = first.settings;
    this.clock = new RoomClock(this.settings.time.move_ms, now);
    this.updatePresence(message.presence, now);
    /** @type {BoardState} */
    this.board = boardOf(message);
    if (message.snapshot) this.#takeSnapshot(message.snapshot, now);
    this.catchUp(message, now);
  }

  // -- reading -----------------------------------------------------------------------------------

  /** The actions on the board before the first move. */
  get opening() {
    return this.settings.opening;
  }

  /**
   * The seat to move, null when no match is being played. Nobody is to move before the last move of
   * the settings' start has arrived.
   */
  get toMove() {
    const begun = this.moves.length >= this.settings.start.length;
    return this.status === "playing" && begun ? this.#mover : null;
  }

  /** Whether this player is to move. */
  get myTurn() {
    return this.toMove !== null && this.toMove === this.seat;
  }

  // -- server messages ---------------------------------------------------------------------------

  /**
   * Apply one event; return false if it was applied before.
   *
   * An event of the list in a `room_state` comes without a board (`listed`). There, missing numbers
   * are events of unknown types.
   *
   * Throws Gap when events between `seq` and this one are missing, and Desync when the event
   * contradicts the mirror.
   * @param {RoomEvent} event
   * @param {number} now
   * @param {boolean} listed
   */
  apply(event, now, listed = false) {
    if (event.seq <= this.seq) return false;
    if (event.seq !== this.seq + 1 && !listed) {
      throw new Gap(`Room ${this.room} is at event ${this.seq} and got event ${event.seq}.`);
    }
    if (this.status === "closed") {
      throw new Desync(`Room ${this.room} is closed and got event ${event.seq}.`);
    }
    switch (event.type) {
      case "move":
        this.#move(event, now, listed);
        break;
      case "room_created":
        this.#created(event);
        break;
      case "seated":
        this.#seated(event);
        break;
      case "match_started":
        this.#matchStarted(event, now, listed);
        break;
      case "match_finished":
        this.#matchFinished(event, now);
        break;
      case "takeback_asked":
        this.#takebackAsked(event);
        break;
      case "takeback_declined":
        this.takeback = null;
        break;
      case "takeback":
        this.#takenBack(event, now, listed);
        break;
      case "rematch_offered":
        this.#rematchOffered(event);
        break;
      case "rematch_ended":
        this.rematch = bySeat(event.seat, false, this.rematch);
        break;
      case "room_closed":
        this.close(told(event.reason, event.phrase));
        break;
    }
    this.seq = event.seq;
    return true;
  }

  /**
   * Apply a `room_state`: its events, board, seat, presence and clocks. Return the new events.
   *
   * Throws Desync when an event contradicts the mirror. The events before it are applied.
   * @param {RoomState} message
   * @param {number} now
   */
  catchUp(message, now) {
    const board = boardOf(message);
    const fresh = (message.events ?? []).filter((event) => this.apply(event, now, true));
    // The message may be older than events that have come since.
    if ((message.snapshot?.seq ?? message.events?.at(-1)?.seq ?? this.seq) >= this.seq) {
      this.board = board;
    }
    this.seat = message.seat;
    this.updatePresence(message.presence, now);
    this.code = message.code ?? this.code;
    // After the events, because their clocks are older than those of the message.
    if (message.clock_ms) this.clock.correct(message.clock_ms, now);
    if (typeof message.move_left_ms === "number") this.clock.setMoveLeft(message.move_left_ms, now);
    // A snapshot states this itself.
    if (!message.snapshot) this.clock.runs = this.status === "playing" && message.clock_runs;
    return fresh;
  }

  /**
   * Take over who is present, and until when the room waits for players and first moves.
   * @param {Presence} presence
   * @param {number} now
   */
  updatePresence(presence, now) {
    /** @type {Presence} */
    this.presence = presence;
    const [first, second] = presence.seats.map(({ claim_in_ms: ms }) =>
      ms === null ? null : now + ms / 1000,
    );
    /** @type {Pair<number | null>} */
    this.claimAt = [first, second];
    const { first_move_in_ms: ms } = presence;
    this.clock.waitForFirstMove(ms === null ? null : now + ms / 1000);
  }

  /**
   * Copy all fields of `other`, so that references to this mirror stay valid.
   * @param {RoomMirror} other
   */
  adopt(other) {
    Object.assign(this, other);
    this.#mover = other.#mover;
  }

  /**
   * Mark the room as closed; `sentence` gives the reason.
   * @param {string} sentence
   */
  close(sentence) {
    this.status = "closed";
    this.sentence = sentence;
    this.clock.stop();
    this.#endTurns();
  }

  // -- inner steps -------------------------------------------------------------------------------

  /**
   * @param {Snapshot} snapshot
   * @param {number} now
   */
  #takeSnapshot(snapshot, now) {
    const playing = snapshot.status === "playing";
    this.seq = snapshot.seq;
    this.private = snapshot.private;
    this.tag = snapshot.tag;
    this.askedBy = snapshot.asked_by;
    this.players = snapshot.players;
    this.status = snapshot.status;
    this.match = snapshot.match;
    this.moves = [...snapshot.moves];
    this.movers = [...snapshot.movers].map(Number);
    this.scores = snapshot.scores;
    this.#mover = snapshot.to_move;
    this.rematch = snapshot.rematch;
    this.result = snapshot.result;
    this.takebacks = snapshot.takebacks;
    this.takeback = snapshot.takeback;
    const runs = playing && snapshot.clock_runs;
    this.clock.beginTurn(snapshot.clock_ms, this.toMove, now, runs);
    this.started = startOf(this.room, snapshot);
    this.finished = endOf(this.room, snapshot);
  }

  /** @param {RoomCreated} event */
  #created(event) {
    if (this.seq !== 0) throw new Desync(`Room ${this.room} was created twice.`);
    this.private = event.private;
    this.tag = event.tag;
    this.askedBy = event.asked_by;
    this.code = event.code;
  }

  /** @param {Seated} event */
  #seated({ seat, player }) {
    const there = this.players[seat];
    if (this.status === "playing" || (there !== null && !samePlayer(there, player))) {
      throw new Desync(`Seat ${seat} of room ${this.room} is taken.`);
    }
    this.players = bySeat(seat, player, this.players);
  }

  /**
   * @param {MatchStarted} event
   * @param {number} now
   * @param {boolean} listed
   */
  #matchStarted(event, now, listed) {
    const where = `room ${this.room}`;
    if (this.status === "playing" || event.match !== this.match + 1) {
      throw new Desync(`Match ${event.match} of ${where} cannot start now.`);
    }
    // A rematch swaps the seats, so find the players by name.
    const [first, second] = event.players.map((name) => this.players.find((p) => p?.name === name));
    if (!first || !second || first === second) {
      throw new Desync(`Match ${event.match} of ${where} has players without a seat.`);
    }
    const board = listed ? this.board : boardOf(event);
    const me = this.seat === null ? null : this.players[this.seat];
    if (me !== null) this.seat = event.players.indexOf(me.name);
    this.players = [first, second];
    this.status = "playing";
    this.match = event.match;
    this.moves = [];
    this.movers = [];
    this.scores = [0, 0];
    this.board = board;
    this.#mover = event.to_move;
    this.rematch = [false, false];
    this.result = this.finished = this.lastMove = null;
    this.expected = [null, null];
    this.takebacks = 0;
    this.takeback = null;
    this.started = event;
    this.clock.beginTurn(event.clock_ms, event.to_move, now, true);
  }

  /**
   * @param {MoveMade} event
   * @param {number} now
   * @param {boolean} listed
   */
  #move(event, now, listed) {
    const here = `${this.match}, ${this.moves.length}, ${this.takebacks}`;
    const there = `${event.match}, ${event.ply}, ${event.takebacks}`;
    if (this.status !== "playing" || here !== there) {
      throw new Desync(
        `Room ${this.room} is ${this.status} at match, ply and takebacks ${here}, and got a move ` +
          `of ${there}.`,
      );
    }
    if (event.seat !== this.#mover) {
      throw new Desync(`Seat ${event.seat} of room ${this.room} moved out of turn.`);
    }
    // The positions between the events of a list, and between the moves of the start, are not known.
    const { length } = this.settings.start;
    if (!listed && event.ply >= length && this.board.legal[event.action] !== "1") {
      throw new Desync(`Room ${this.room} got an illegal move: ${event.action}.`);
    }
    this.board = listed || event.ply + 1 < length ? this.board : boardOf(event);
    this.moves.push(event.action);
    this.movers.push(event.seat);
    this.scores = event.scores;
    this.#mover = event.to_move;
    if (event.expected !== null) this.expected = bySeat(event.seat, event.expected, this.expected);
    this.lastMove = event;
    this.takeback = null;
    this.clock.beginTurn(event.clock_ms, event.to_move, now, event.to_move !== null);
  }

  /** @param {TakebackAsked} event */
  #takebackAsked({ match, seat, ply }) {
    if (this.status !== "playing" || match !== this.match || ply >= this.moves.length) {
      throw new Desync(`Room ${this.room} has no move ${ply} that could be taken back.`);
    }
    this.takeback = { seat, ply };
  }

  /**
   * @param {TakenBack} event
   * @param {number} now
   * @param {boolean} listed
   */
  #takenBack(event, now, listed) {
    const next = event.match === this.match && event.takebacks === this.takebacks + 1;
    if (this.status !== "playing" || !next || event.ply >= this.moves.length) {
      throw new Desync(`Room ${this.room} cannot go back to ply ${event.ply} now.`);
    }
    if (event.seat !== event.to_move) {
      throw new Desync(`The turn of room ${this.room} after a takeback is wrong.`);
    }
    this.board = listed ? this.board : boardOf(event);
    this.moves = this.moves.slice(0, event.ply);
    this.movers = this.movers.slice(0, event.ply);
    this.scores = event.scores;
    this.#mover = event.to_move;
    this.takebacks = event.takebacks;
    this.takeback = this.lastMove = null;
    this.expected = [null, null];
    this.clock.beginTurn(event.clock_ms, event.to_move, now, true);
  }

  /**
   * @param {MatchFinished} event
   * @param {number} now
   */
  #matchFinished(event, now) {
    if (this.status !== "playing" || event.match !== this.match) {
      throw new Desync(`Match ${event.match} of room ${this.room} cannot finish now.`);
    }
    if (event.termination === "completed" && this.#mover !== null) {
      throw new Desync(`Match ${event.match} of room ${this.room} is not over by the rules.`);
    }
    const { termination, winner, returns, game_id, reason, phrase } = event;
    this.status = "finished";
    this.result = { termination, winner, returns, game_id, reason, phrase };
    this.finished = event;
    this.takeback = null;
    this.clock.beginTurn(event.clock_ms, null, now, false);
    this.#endTurns();
  }

  /** @param {RematchOffered} event */
  #rematchOffered(event) {
    if (this.status !== "finished") {
      throw new Desync(`Room ${this.room} got a rematch offer before its match was finished.`);
    }
    this.rematch = bySeat(event.seat, true, this.rematch);
  }

  /** Make no action legal, because no match is being played any more. */
  #endTurns() {
    this.board = { ...this.board, legal: this.board.legal.replaceAll("1", "0") };
  }
}

/**
 * Return the board of a message, which must have one.
 * @param {RoomState | MatchStarted | MoveMade | TakenBack} message
 */
function boardOf(message) {
  if (!message.board) throw new Desync(`Room ${message.room} came without its board.`);
  return message.board;
}

/**
 * Return a copy of `pair` with another value for one seat.
 * @template T
 * @param {number} seat
 * @param {T} value
 * @param {Pair<T>} pair
 * @returns {Pair<T>}
 */
function bySeat(seat, value, [first, second]) {
  return seat === 0 ? [value, second] : [first, value];
}

/**
 * @param {PlayerInfo} one
 * @param {PlayerInfo} other
 */
function samePlayer(one, other) {
  return (
    one.name === other.name &&
    one.kind === other.kind &&
    one.engine?.name === other.engine?.name &&
    one.engine?.version === other.engine?.version
  );
}
