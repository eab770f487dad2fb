// Follow the review of one game on the server: its place in the queue, its progress, its report.

import { plural, told, tr } from "../../texts.js";

/** @import { ReviewReport, ReviewState } from "./types" */

/** The version of reports that this page can read. */
export const VERSION = 1;
const NEWER = tr("This server makes reviews of another version. Reload the page.");

/**
 * The state of one review. `none`: nobody has asked. `failed`: `sentence` says why, and the person
 * may ask again.
 */
export class Analysis {
  /** @param {string} game the id of the game */
  constructor(game) {
    this.game = game;
    /** @type {"none" | "asking" | "queued" | "working" | "done" | "failed"} */
    this.status = "none";
    this.place = 0;
    this.done = 0;
    this.all = 0;
    this.sentence = "";
    /** @type {ReviewReport | null} */
    this.report = null;
  }

  /** Whether an answer is still to come. */
  get waiting() {
    return this.status === "asking" || this.status === "queued" || this.status === "working";
  }

  /** Whether the server has answered that it will make the review. */
  get begun() {
    return this.status === "queued" || this.status === "working";
  }

  /** Note that the server is being asked; return false if that is of no use. */
  ask() {
    if (this.waiting || this.status === "done") return false;
    this.status = "asking";
    this.sentence = "";
    this.done = this.all = this.place = 0;
    return true;
  }

  /**
   * Take what the server says; return whether it concerns this game.
   * @param {ReviewState} state
   */
  take(state) {
    if (state.game_id !== this.game || !this.waiting) return false;
    const { status, place, done, all, report } = state;
    if (status === "done") {
      if (report?.version === VERSION) {
        this.report = report;
        this.status = status;
      } else this.fail(NEWER);
      return true;
    }
    if (status === "failed") this.fail(told(state.reason ?? "", state.phrase) || tr("The server could not analyse this game."));
    else Object.assign(this, { status, place, done, all });
    return true;
  }

  /**
   * Note why there is no answer.
   * @param {string} sentence
   */
  fail(sentence) {
    this.status = "failed";
    this.sentence = sentence;
  }

  /** How far it is, in a sentence; empty when it neither waits nor works. */
  get line() {
    if (this.status === "asking") return tr("Asking the server ...");
    if (this.status === "queued") {
      const before = this.place - 1;
      return before > 0 ? plural("1 game comes first.", "{n} games come first.", before) : tr("Your game is next.");
    }
    if (this.status === "working") {
      return this.all ? tr("{done} of {all} moves are judged ...", { done: this.done, all: this.all }) : tr("The analysis begins ...");
    }
    return "";
  }
}
