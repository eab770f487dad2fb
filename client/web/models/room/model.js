// Model one room for the people at this page, and decide what a click on its board does.

import { tr } from "../../texts.js";
import { roomClock } from "./clock.js";
import { History } from "./history.js";
import { OwnSeats } from "./own-seats.js";
import { PendingMove } from "./pending.js";
import { Playback } from "./playback.js";
import { makeEnding } from "./seats.js";

/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */
/** @typedef {import("../../types/api.js").GameGeometry} Geometry */
/** @typedef {import("./pending.js").Order} Order */
/** @typedef {import("./seats.js").Ending} Ending */

export const LAST_MOVE = tr("Waiting for the server to confirm the last move.");

/** @type {Readonly<Record<string, string>>} */
export const NOT_PLAYING = {
  waiting: tr("The match begins when somebody takes the other seat."),
  finished: tr("The match is over."),
  closed: tr("This room is closed."),
};

/** @typedef {import("../../board/types.js").Seat} Seat */

/**
 * What the board shows, and the scores of that position.
 *
 * @typedef {import("../../board/types.js").Position & {scores: readonly number[]}} Shown
 */

/**
 * One room. `ending` describes how the match ended. It is null while the match runs, or while a
 * spectator has not been led to its end. `playback` chooses what a spectator sees.
 */
export class RoomModel {
  /**
   * @param {RoomMirror} mirror
   * @param {Geometry} geometry
   */
  constructor(mirror, geometry) {
    this.mirror = mirror;
    this.geometry = geometry;
    this.seats = new OwnSeats();
    this.history = new History();
    this.pending = new PendingMove();
    this.playback = new Playback();
    /** The number of moves in the earlier position that is shown, or null for the latest one.
     * @type {number | null} */
    this.viewing = null;
    /** @type {Ending | null} */
    this.ending = null;
    this._match = mirror.match;
    /** @type {Shown | null} */
    this._shown = null;
    /** @type {unknown[]} */
    this._shownFrom = [];
    this.take(mirror, null);
  }

  /**
   * Read the room again after a change; `guest` is the second person's view of it, and `now` the
   * time in seconds.
   *
   * @param {RoomMirror} mirror
   * @param {RoomMirror | null} guest
   * @param {number} [now]
   */
  take(mirror, guest, now = 0) {
    if (mirror.match !== this._match) this.viewing = null;
    this.mirror = mirror;
    this._match = mirror.match;
    this.seats.take(mirror, guest);
    this.history.take(mirror);
    this.pending.settle(mirror);
    if (this.seats.watching) {
      this.playback.follow(mirror.match, this.history.total, this.over, now);
      this.viewing = this.playback.at;
    } else {
      this.playback = new Playback();
      if (this.viewing !== null && this.viewing >= this.history.total) this.viewing = null;
    }
    this._updateEnding();
  }

  _updateEnding() {
    const { mirror, geometry, seats } = this;
    this.ending = this.over && !this.showsEnd ? null : makeEnding(mirror, geometry, seats);
  }

  /** Whether the match is over or the room closed, even if a spectator does not see it yet. */
  get over() {
    return this.mirror.status === "finished" || this.mirror.status === "closed";
  }

  /** Whether the match is over or the room closed, as far as it is shown. */
  get showsEnd() {
    return this.over && !this.playback.hidesEnd;
  }

  /** The game from which the person at this page can learn now: a match that has just ended. */
  get lesson() {
    const { only } = this.seats;
    if (this.ending === null || only === null) return null;
    return { game: this.ending.gameId, seat: only };
  }

  // -- moves --------------------------------------------------------------------------------

  /**
   * Play `action` for the seat to move.
   *
   * Return the order to send if that is possible; the board then shows the move as pending. If not,
   * return a sentence that says why, and change nothing.
   *
   * @param {number} action
   * @returns {Order | string}
   */
  play(action) {
    const objection = this._objection(action);
    if (objection) return objection;
    const { room, match, moves, takebacks } = this.mirror;
    const who = this.seats.connections.get(/** @type {number} */ (this.mirror.toMove));
    /** @type {Order} */
    const order = { who: who ?? "me", room, match, ply: moves.length, takebacks, action };
    this.pending.order = order;
    return order;
  }

  /** @param {number} action */
  _objection(action) {
    const { status, toMove, board } = this.mirror;
    if (status !== "playing") return NOT_PLAYING[status] ?? NOT_PLAYING.closed;
    if (this.seats.watching) return tr("You are watching; only the players move.");
    if (this.viewing !== null) {
      return tr("This is an earlier position; go back to the latest one to play.");
    }
    if (this.pending.order !== null || toMove === null) return LAST_MOVE;
    if (!this.seats.has(toMove)) return tr("It is {name}'s turn.", { name: this.name(toMove) });
    if (board.legal[action] !== "1") {
      const name = this.geometry.names[action] ?? action;
      return tr("{name} cannot be played now. Choose one that is free.", { name });
    }
    return "";
  }

  /**
   * Show the position after `ply` moves; null, or all moves, shows the latest one.
   *
   * @param {number | null} ply
   */
  lookAt(ply) {
    if (this.seats.watching) this.watch((playback) => (ply === null ? playback.live() : playback.look(ply)));
    else this.viewing = ply === null || ply >= this.history.total ? null : Math.max(0, ply);
  }

  /**
   * Let a spectator choose what is shown.
   *
   * @param {(playback: Playback) => void} act
   */
  watch(act) {
    act(this.playback);
    this.viewing = this.playback.at;
    this._updateEnding();
  }

  /**
   * Show a spectator the next move if it is due at `now`, in seconds; return whether it was.
   *
   * @param {number} now
   */
  tick(now) {
    if (!this.playback.tick(now)) return false;
    this.watch(() => {});
    return true;
  }

  /**
   * Return the ply that is `by` moves later than the one shown, or earlier if negative.
   *
   * @param {number} by
   */
  stepped(by) {
    return Math.max(0, this.ply + by);
  }

  /** The number of moves in the position that is shown. */
  get ply() {
    return this.viewing ?? this.history.total;
  }

  // -- the position ---------------------------------------------------------------------------

  /**
   * What the board shows. While an earlier position is unknown, the latest one stays. It is the same
   * object as before unless something of it has changed.
   */
  get shown() {
    const { mirror, history, viewing } = this;
    const place = viewing === null ? null : history.at(viewing);
    const from = [mirror.board, mirror.match, history.total, place, history.missing];
    if (this._shown === null || from.some((each, at) => each !== this._shownFrom[at])) {
      this._shownFrom = from;
      this._shown = this._show(place);
    }
    return this._shown;
  }

  /**
   * @param {import("./history.js").Place | null} place
   * @returns {Shown}
   */
  _show(place) {
    const { mirror, history } = this;
    const { opening } = mirror.settings;
    const ply = place === null ? history.total : this.ply;
    const moves = mirror.moves.slice(0, ply);
    const drawers = moves.map((_, at) => /** @type {Seat | undefined} */ (mirror.movers[at]));
    const { legal } = mirror.board;
    return {
      cells: place?.cells ?? mirror.board.cells,
      before: history.at(ply - 1)?.cells,
      winning: place?.winning ?? mirror.board.winning,
      played: [...opening, ...moves],
      drawers: [...opening.map(() => null), ...drawers],
      last: moves.at(-1) ?? null,
      toMove: /** @type {Seat | null} */ (place === null ? mirror.toMove : place.toMove),
      legal: place === null ? legal : "0".repeat(legal.length),
      scores: place?.scores ?? mirror.scores,
    };
  }

  /** The seat to move in the latest position, or null. */
  get toMove() {
    return this.mirror.toMove;
  }

  /** Whether somebody at this page is to move and has not moved yet. */
  get myTurn() {
    return this.pending.order === null && this.seats.has(this.toMove);
  }

  /** Whether a match with a seat of this page is in progress. */
  get playing() {
    return this.mirror.status === "playing" && !this.seats.watching;
  }

  /** Whether the match is rated or part of a tournament, so that players get no help. */
  get strict() {
    return this.mirror.settings.rated || this.mirror.tag !== null;
  }

  // -- players --------------------------------------------------------------------------------

  /**
   * Return the clock of `seat`, or null without one; `now` is in seconds. Only the clocks of the
   * latest position are known, so a spectator who is behind sees none.
   *
   * @param {number} seat
   * @param {number} now
   */
  clock(seat, now) {
    return this.playback.behind ? null : roomClock(this.mirror, seat, now);
  }

  /**
   * Return the name of the player in `seat`, or the name of the seat if it is free.
   *
   * @param {number} seat
   */
  name(seat) {
    return this.mirror.players[seat]?.name ?? this.geometry.seat_names[seat];
  }

  /**
   * Return whether a bot is in `seat`.
   *
   * @param {number} seat
   */
  isBot(seat) {
    return this.mirror.players[seat]?.kind === "bot";
  }

  /**
   * Return whether the player in `seat` is connected.
   *
   * @param {number} seat
   */
  present(seat) {
    return this.mirror.presence.seats[seat].connected;
  }
}
