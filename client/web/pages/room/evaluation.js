// What the server thinks of the move before the last one, in the words of a review. Only spectators load this.

import { useEffect } from "preact/hooks";

import { html } from "../../html.js";
import { Evaluation } from "../../models/room/evaluation.js";
import { Report } from "../../models/review/report.js";
import { tr } from "../../texts.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("./controller.js").RoomController} RoomController */

/** The least time between two questions, in milliseconds; the players may be quicker. */
const PAUSE_MS = 1000;

/** A report about no move. @type {import("../../core/messages.js").ReviewReport} */
const EMPTY = {
  ...{ version: 1, game: "", params: {}, opening: [], moves: [], verdicts: null },
  ...{ accuracy: [null, null], turning: null, turning_sure: false },
};

/** @param {{room: RoomController}} props */
export function Commentary({ room }) {
  room.version.value;
  const evaluation = (room.evaluation ??= new Evaluation(room.model));
  useQuestions(room.app, room.id, evaluation, () => room.changed());
  if (!evaluation.on) return null;
  const { move } = evaluation;
  if (move === null) return html`<p class="room-comment muted">${tr("The server thinks about the first moves ...")}</p>`;
  const { geometry, mirror } = room.model;
  const players = mirror.players.map((player) => player?.name ?? "");
  const note = new Report({ ...EMPTY, moves: [move] }, geometry, players).note(1);
  return html`<section class=${`room-comment seat${move.seat}`} aria-label=${tr("What the server thinks")}>
    <p>
      <strong>${tr("Move {number}", { number: move.ply + 1 })}</strong>${" "}<bdi>${players[move.seat]}</bdi>${": "}
      ${[note.headline, ...note.sentences].join(" ")}
    </p>
    <p class="muted">${note.outlook}</p>
  </section>`;
}

/**
 * Ask about each move, one question after the other; moves that come meanwhile are left out.
 *
 * @param {App} app
 * @param {string} room
 * @param {Evaluation} evaluation
 * @param {() => void} changed
 */
export function useQuestions(app, room, evaluation, changed) {
  useEffect(() => {
    const stop = new AbortController();
    const question = async () => {
      try {
        evaluation.take(await app.request({ type: "get_evaluation", room }));
        changed();
      } catch {
        // The server is busy, or the match is over; the next move asks again.
      }
    };
    const run = async () => {
      while (!stop.signal.aborted) {
        if (document.visibilityState === "visible" && evaluation.ask()) await question();
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      }
    };
    void run();
    return () => stop.abort();
  }, [evaluation]);
}
