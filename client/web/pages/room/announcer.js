// Tell screen readers what happens in a room: moves, the turn, results, earlier positions.

import { moveSentence } from "../../board/speech.js";
import { finalLine } from "../../models/room/seats.js";
import { tr } from "../../texts.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/** More new moves than this are not read out one by one. */
const READ = 4;

/** Compares the room with its state at the last call, and announces what has changed. */
export class Announcer {
  /** @param {RoomController} room */
  constructor(room) {
    this._room = room;
    this._last = this._state();
  }

  /** Announce what has changed. */
  update() {
    const { app, model, text } = this._room;
    const was = this._last;
    const is = (this._last = this._state());
    if (is.key === was.key && is.total === was.total && is.offer === was.offer) return;
    const parts = [];
    if (is.match !== was.match) {
      parts.push(tr("Match {number} begins.", { number: is.match }), text.statusLine);
    } else if (is.total > was.total) {
      const first = Math.max(was.total, is.total - READ);
      for (let ply = first + 1; ply <= is.total; ply++) parts.push(this._move(ply));
      if (model.ending === null) parts.push(text.statusLine);
    } else if (is.total < was.total) {
      parts.push(tr("Moves were taken back."), text.statusLine);
    }
    if (is.over && !was.over) parts.push(this._result());
    else if (is.status !== was.status && is.status === "closed") parts.push(text.statusLine);
    else if (is.offer !== was.offer && is.total === was.total) parts.push(text.statusLine);
    const sentence = parts.filter(Boolean).join(" ");
    if (sentence) app.say(sentence);
  }

  /** Announce the position that the person has stepped to. */
  looked() {
    const { app, model } = this._room;
    const was = this._last;
    const is = (this._last = this._state());
    let place = tr("The latest position.");
    if (model.viewing === 0) place = `${tr("The start")}.`;
    else if (model.viewing !== null) {
      place = `${tr("Move {number} of {total}", { number: model.viewing, total: model.history.total })}. ${this._move(model.viewing)}`;
    }
    app.say(is.over && !was.over ? `${place} ${this._result()}` : place);
  }

  /** @param {number} ply */
  _move(ply) {
    const { model } = this._room;
    const { history, mirror, geometry } = model;
    const after = history.at(ply);
    const before = history.at(ply - 1);
    const seat = history.mover(ply) ?? (ply === mirror.moves.length ? mirror.lastMove?.seat : null);
    const action = mirror.moves[ply - 1];
    if (seat == null || action === undefined || after === null || before === null) return "";
    const mine = model.seats.only === seat;
    return moveSentence(geometry, {
      action,
      player: mine ? "" : model.name(seat),
      before: before.cells,
      after: after.cells,
      scores: after.scores,
    });
  }

  _result() {
    const ending = this._room.model.ending;
    return ending === null ? "" : resultLine(ending);
  }

  _state() {
    const { mirror, ending, history, seats, ply } = this._room.model;
    return {
      key: `${mirror.match} ${mirror.status}`,
      match: mirror.match,
      status: mirror.status,
      // Players hear of all moves, spectators of those that they see.
      total: seats.watching ? ply : history.total,
      over: ending !== null,
      offer: `${mirror.rematch.join(" ")} ${mirror.takeback?.seat}`,
    };
  }
}

/**
 * Return how a match ended, in one sentence.
 *
 * @param {import("../../models/room/seats.js").Ending} ending
 */
export function resultLine(ending) {
  return `${finalLine(ending)}. ${ending.why}.`;
}
