// Describe the state of a room in words.

import { LAST_MOVE, NOT_PLAYING } from "./model.js";
import { marksOf, timeLine, watching } from "./words.js";

/** @typedef {import("./model.js").RoomModel} RoomModel */
/** @typedef {import("./permissions.js").RoomPermissions} RoomPermissions */

/** The texts for the room of `model`. */
export class RoomText {
  /**
   * @param {RoomModel} model
   * @param {RoomPermissions} may
   */
  constructor(model, may) {
    this._model = model;
    this._may = may;
  }

  /** The game and its size. */
  get title() {
    return this._model.geometry.title;
  }

  /** The time control, whether the match counts, and who watches. */
  get about() {
    const { mirror, seats } = this._model;
    const { settings, tag } = mirror;
    const parts = [timeLine(settings.time)];
    if (tag === null) parts.push(settings.rated ? "rated" : "casual");
    if (mirror.private) parts.push("private");
    if (settings.opening.length) parts.push("from an opening");
    if (settings.start.length) parts.push(`from move ${settings.start.length + 1}`);
    if (mirror.askedBy !== null) parts.push(`arranged by ${mirror.askedBy}`);
    const line =
      mirror.status === "closed" ? "" : watching(mirror.presence.spectators, seats.watching);
    if (line) parts.push(line);
    return parts;
  }

  /** What the person has to do or to wait for, in one short sentence. */
  get statusLine() {
    const model = this._model;
    const { mirror, seats } = model;
    if (model.viewing !== null && seats.watching && !model.showsEnd) return `${this._late}.`;
    if (mirror.status === "closed") return mirror.sentence || NOT_PLAYING.closed;
    if (mirror.status === "waiting") return "Waiting for an opponent.";
    if (mirror.status === "finished") return this.afterwards || NOT_PLAYING.finished;
    const seat = model.toMove;
    if (seat === null || model.pending.order !== null) return LAST_MOVE;
    if (mirror.takeback !== null) return this._takebackLine(mirror.takeback);
    if (!seats.has(seat)) {
      const thinks = model.isBot(seat) && model.present(seat);
      return `${model.name(seat)} ${thinks ? "is thinking" : "is to move"}.`;
    }
    const again = model.history.mover(model.history.total) === seat;
    if (seats.shared) return `${model.name(seat)}, it is your turn${again ? " again" : ""}.`;
    return again ? "Your turn again." : "Your turn.";
  }

  /** The place of the earlier position that is shown: `main`, and what narrow screens leave out. */
  get place() {
    const model = this._model;
    const where = model.ply ? `Move ${model.ply} of ${model.history.total}` : "The start";
    if (this._late) return { before: `${where} · `, main: this._late, after: "" };
    return { before: "", main: where, after: " · an earlier position" };
  }

  /** What a spectator misses who does not see the latest position; empty for others. */
  get _late() {
    const { seats, showsEnd, playback } = this._model;
    if (!seats.watching || showsEnd) return "";
    if (!playback.behind) return "Paused";
    return `${playback.behind} ${playback.behind === 1 ? "move" : "moves"} behind`;
  }

  /** The label of the button that leads to the latest position. */
  get toLatest() {
    return this._late ? "Live" : "Latest";
  }

  /** @param {import("../../core/messages.js").OpenTakeback} request */
  _takebackLine({ seat, ply }) {
    const { mirror } = this._model;
    const name = this._model.name(seat);
    if (this._may.takebackWaits) {
      return `Waiting for ${this._model.name(1 - seat)} to agree to the takeback.`;
    }
    const count = mirror.moves.length - ply;
    return `${name} asks to take back the last ${count === 1 ? "move" : `${count} moves`}.`;
  }

  /**
   * Describe the opponent's absence at `now`, in seconds by the client's clock.
   *
   * It is empty while the opponent is connected or the absence has no consequence.
   *
   * @param {number} now
   */
  absenceLine(now) {
    const { seats } = this._model;
    const at = this._may.claimAt;
    if (at === null || !this._may.claimsHere || seats.opponent === null) return "";
    const name = this._model.name(seats.opponent);
    const left = Math.ceil(at - now);
    if (left <= 0) return `${name} stays away: you may claim the win.`;
    return `${name} is away. You may claim the win in ${left} s.`;
  }

  /** The label of the resign button; with two people here it names the one who resigns. */
  get resignLine() {
    const { seats, toMove } = this._model;
    return seats.shared && toMove !== null ? `${this._model.name(toMove)} resigns` : "Resign";
  }

  /** The text for the cells of each seat. */
  get initials() {
    const model = this._model;
    return marksOf(model.geometry, model.name(0), model.name(1));
  }

  /** The title of the browser's tab. */
  get tabTitle() {
    const model = this._model;
    const names = `${model.name(0)} – ${model.name(1)}`;
    if (model.mirror.status === "waiting") return "Waiting for an opponent";
    return model.ending === null ? names : `${model.ending.headline} · ${names}`;
  }

  /** What has happened since the end of a match; empty for nothing. */
  get afterwards() {
    const { mirror, seats } = this._model;
    if (mirror.status !== "finished" || seats.watching || seats.shared) return "";
    // Who has gone can neither accept a rematch nor play the one that they offered.
    if (!this._may.opponentHere) return this._may.rematchesHere ? this._gone : "";
    const offered = [0, 1].find((seat) => mirror.rematch[seat]);
    if (offered === undefined) return "";
    if (!seats.has(offered)) return `${this._model.name(offered)} would like a rematch.`;
    return `Waiting for ${this._model.name(1 - offered)} to accept a rematch.`;
  }

  /** Whether the opponent has left or only lost the connection. */
  get _gone() {
    const { mirror, seats } = this._model;
    const opponent = [0, 1].find((seat) => !seats.has(seat)) ?? 0;
    const name = this._model.name(opponent);
    if (mirror.presence.seats[opponent].left) return `${name} has left.`;
    // The result says already that they stayed away.
    return mirror.result?.termination === "disconnect" ? "" : `${name} is away.`;
  }
}
