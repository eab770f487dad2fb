// Describe the state of a room in words.

import { knownTitle } from "../title.js";
import { plural, tr } from "../../texts.js";
import { LAST_MOVE, NOT_PLAYING } from "./model.js";
import { finalLine } from "./seats.js";
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
    return knownTitle(this._model.geometry.title);
  }

  /** The time control, whether the match counts, and who watches. */
  get about() {
    const { mirror, seats } = this._model;
    const { settings, tag } = mirror;
    const parts = [timeLine(settings.time)];
    // Both players must see this, so it comes where no narrow window cuts it off.
    if (settings.evaluation) parts.push(tr("spectators see who is ahead"));
    if (settings.game === "nim") {
      parts.unshift(settings.params["misere"] === 0 ? tr("who takes the last object wins") : tr("who takes the last object loses"));
    }
    if (tag === null) parts.push(settings.rated ? tr("rated") : tr("casual"));
    if (mirror.private) parts.push(tr("private"));
    if (settings.opening.length) parts.push(tr("from an opening"));
    if (settings.start.length) parts.push(tr("from move {number}", { number: settings.start.length + 1 }));
    if (mirror.askedBy !== null) parts.push(tr("arranged by {name}", { name: mirror.askedBy }));
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
    if (mirror.status === "waiting") return tr("Waiting for an opponent.");
    if (mirror.status === "finished") return this.afterwards || NOT_PLAYING.finished;
    const seat = model.toMove;
    if (seat === null || model.pending.order !== null) return LAST_MOVE;
    const name = model.name(seat);
    if (mirror.takeback !== null) return this.takebackLine;
    if (!seats.has(seat)) {
      const thinks = model.isBot(seat) && model.present(seat);
      return thinks ? tr("{name} is thinking.", { name }) : tr("{name} is to move.", { name });
    }
    const again = model.history.mover(model.history.total) === seat;
    if (seats.shared) {
      return again ? tr("{name}, it is your turn again.", { name }) : tr("{name}, it is your turn.", { name });
    }
    return again ? tr("Your turn again.") : tr("Your turn.");
  }

  /** The place of the earlier position that is shown: `main`, and what narrow screens leave out. */
  get place() {
    const model = this._model;
    const where = model.ply
      ? tr("Move {number} of {total}", { number: model.ply, total: model.history.total })
      : tr("The start");
    if (this._late) return { before: `${where} · `, main: this._late, after: "" };
    return { before: "", main: where, after: ` · ${tr("an earlier position")}` };
  }

  /** What a spectator misses who does not see the latest position; empty for others. */
  get _late() {
    const { seats, showsEnd, playback } = this._model;
    if (!seats.watching || showsEnd) return "";
    if (!playback.behind) return tr("Paused");
    return plural("1 move behind", "{n} moves behind", playback.behind);
  }

  /** The label of the button that leads to the latest position. */
  get toLatest() {
    return this._late ? tr("Live") : tr("Latest");
  }

  /** The request for a takeback that waits; empty without one. */
  get takebackLine() {
    const { mirror } = this._model;
    if (mirror.takeback === null) return "";
    const { seat, ply } = mirror.takeback;
    const name = this._model.name(seat);
    if (this._may.takebackWaits) {
      return tr("Waiting for {name} to agree to the takeback.", { name: this._model.name(1 - seat) });
    }
    const count = mirror.moves.length - ply;
    return plural("{name} asks to take back the last move.", "{name} asks to take back the last {n} moves.", count, { name });
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
    if (left <= 0) return tr("{name} stays away: you may claim the win.", { name });
    return tr("{name} is away. You may claim the win in {left} s.", { name, left });
  }

  /**
   * Say at `now` how long the match waits for a first move; empty when it does not.
   *
   * @param {number} now
   */
  firstMoveLine(now) {
    const { mirror, seats, toMove } = this._model;
    const until = mirror.clock.firstUntil;
    if (until === null || toMove === null) return "";
    const values = { left: Math.max(0, Math.ceil(until - now)) };
    if (!seats.has(toMove)) return tr("The first move must come within {left} s.", values);
    if (mirror.tag !== null) return tr("Begin within {left} s, or the game is lost.", values);
    return tr("Begin within {left} s, or the match is called off.", values);
  }

  /** The label of the resign button; with two people here it names the one who resigns. */
  get resignLine() {
    const { seats, toMove } = this._model;
    return seats.shared && toMove !== null
      ? tr("{name} resigns", { name: this._model.name(toMove) })
      : tr("Resign");
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
    if (model.mirror.status === "waiting") return tr("Waiting for an opponent");
    return model.ending === null ? names : `${finalLine(model.ending)} · ${names}`;
  }

  /** What has happened since the end of a match; empty for nothing. */
  get afterwards() {
    const { mirror, seats } = this._model;
    if (mirror.status !== "finished" || seats.watching || seats.shared) return "";
    // Who has gone can neither accept a rematch nor play the one that they offered.
    if (!this._may.opponentHere) return this._may.rematchesHere ? this._gone : "";
    const offered = [0, 1].find((seat) => mirror.rematch[seat]);
    if (offered === undefined) return "";
    if (!seats.has(offered)) return tr("{name} would like a rematch.", { name: this._model.name(offered) });
    return tr("Waiting for {name} to accept a rematch.", { name: this._model.name(1 - offered) });
  }

  /** Whether the opponent has left or only lost the connection. */
  get _gone() {
    const { mirror, seats } = this._model;
    const opponent = [0, 1].find((seat) => !seats.has(seat)) ?? 0;
    const name = this._model.name(opponent);
    if (mirror.presence.seats[opponent].left) return tr("{name} has left.", { name });
    // The result says already that they stayed away.
    return mirror.result?.termination === "disconnect" ? "" : tr("{name} is away.", { name });
  }
}
