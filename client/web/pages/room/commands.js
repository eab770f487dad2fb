// Carry out what a person types: moves, questions about the board, and what the buttons do.

import { answerCommand } from "../../board/commands.js";
import { PHRASES, phraseOf } from "../../models/room/phrases.js";
import { tr } from "../../texts.js";
import { clockFace } from "../../models/clock-face.js";
import { resultLine } from "./announcer.js";

/** @typedef {import("./controller.js").RoomController} RoomController */

/**
 * A command: its meaning, whether it is of use in this room, and what it does. `run` returns what
 * to tell the person; an empty text says that the room tells it.
 *
 * @typedef {{means: string, here: boolean, run: () => string}} Command
 */

/** Answers the lines that are typed in one room. */
export class Commands {
  /** @param {RoomController} room */
  constructor(room) {
    this._room = room;
    /** The match that the person may resign by typing yes, or null. @type {number | null} */
    this._asked = null;
  }

  /**
   * Carry out a line; return what to tell the person, or an empty text.
   *
   * @param {string} line
   */
  answer(line) {
    const { model } = this._room;
    const asked = this._asked !== null && this._asked === model.mirror.match && model.playing;
    this._asked = null;
    const word = line.trim().toLowerCase();
    if (asked && (word === "yes" || word === "y")) {
      void this._room.requests.resign();
      return tr("You resign.");
    }
    if (asked && (word === "no" || word === "n")) return tr("You play on.");
    const commands = this._commands();
    if (commands["say"] && word.startsWith("say ")) return this._say(word.slice(4));
    const found = answerCommand(model.geometry, line, this._situation(commands));
    if ("text" in found) return found.text;
    if ("command" in found) return commands[found.command]?.run() ?? "";
    this._room.play(found.action);
    return "";
  }

  /** @returns {Record<string, Command>} */
  _commands() {
    const { model, may, requests, app, text } = this._room;
    const { status } = model.mirror;
    const moved = model.history.total > 0;
    const over = status === "finished";
    /** @type {Record<string, Command>} */
    const all = {
      hint: { means: tr("the best move"), here: may.hintsGiven, run: () => this._hint() },
      resign: { means: tr("give the match up; you are asked first"), here: may.resign, run: () => this._resign() },
      "call off": {
        means: tr("end the match without a result, before your first move"),
        here: may.abortsHere,
        run: () => this._ask(may.abort, () => requests.abort(), tr("You have moved, so the match cannot be called off. Type resign to give it up.")),
      },
      "take back": {
        means: tr("ask to take back your last move, or withdraw that"),
        here: may.takebacksHere,
        run: () => this._ask(may.takeback !== null || may.takebackWaits !== undefined, () => requests.takeBack(), tr("No move of yours can be taken back now.")),
      },
      accept: { means: tr("agree to a takeback"), here: may.takebackAnswerer !== undefined, run: () => this._ask(true, () => requests.answerTakeback(true), "") },
      decline: { means: tr("refuse a takeback"), here: may.takebackAnswerer !== undefined, run: () => this._ask(true, () => requests.answerTakeback(false), "") },
      claim: {
        means: tr("claim the win while your opponent stays away"),
        here: may.claimsHere,
        run: () => this._ask(may.claim(app.now()), () => requests.claim(), text.absenceLine(app.now()) || tr("Your opponent is here.")),
      },
      rematch: {
        means: tr("offer or accept another match"),
        here: over && may.rematchesHere,
        run: () => this._ask(may.rematch && may.opponentHere, () => requests.rematch(), text.statusLine),
      },
      "no rematch": {
        means: tr("decline the rematch, or withdraw yours"),
        here: over && (may.rematchOffered || may.rematchWithdrawn),
        run: () => this._ask(true, () => requests.declineRematch(), ""),
      },
      say: { means: tr("one of a few phrases to your opponent, such as: say good game"), here: may.speaks, run: () => this._say("") },
      back: { means: tr("the position one move earlier"), here: moved, run: () => this._look(() => this._room.step(-1)) },
      forward: { means: tr("the position one move later"), here: moved, run: () => this._look(() => this._room.step(1)) },
      latest: { means: tr("the latest position"), here: moved, run: () => this._look(() => this._room.lookAt(null)) },
      lobby: { means: tr("leave the room"), here: !model.playing, run: () => this._look(() => this._room.leave()) },
    };
    return Object.fromEntries(Object.entries(all).filter(([, { here }]) => here));
  }

  _hint() {
    const { may, hint, requests } = this._room;
    const { viewing } = this._room.model;
    if (viewing !== null) return tr("A hint is for the latest position. Type latest to return to it.");
    if (!may.hint && !hint.thinking) return `${tr("A hint is for your turn.")} ${this._room.text.statusLine}`;
    void requests.hint();
    return hint.line(this._room.app.now());
  }

  /** @param {string} text */
  _say(text) {
    const phrase = phraseOf(text);
    if (phrase === null) {
      return tr("Type say and one of these: {phrases}", { phrases: Object.values(PHRASES).join(" ") });
    }
    void this._room.requests.say(phrase);
    return "";
  }

  _resign() {
    this._asked = this._room.model.mirror.match;
    return tr("Resign this match? Type yes to resign, or anything else to play on.");
  }

  /**
   * Send a request if it is allowed; return why not, otherwise nothing: the room tells the rest.
   *
   * @param {boolean} allowed
   * @param {() => Promise<unknown>} send
   * @param {string} objection
   */
  _ask(allowed, send, objection) {
    if (allowed) void send();
    return allowed ? "" : objection;
  }

  /** @param {() => void} look */
  _look(look) {
    look();
    return "";
  }

  /**
   * Describe the room for the board's own commands.
   *
   * @param {Record<string, Command>} commands
   */
  _situation(commands) {
    const { model, text, app } = this._room;
    const now = app.now();
    const clocks = [0, 1].map((seat) => {
      const left = model.clock(seat, now);
      return left === null ? null : clockFace(left.ms).text;
    });
    const names = [model.name(0), model.name(1)];
    const means = Object.entries(commands).map(([word, { means }]) => [word, means]);
    const result = model.ending === null ? "" : resultLine(model.ending);
    const status = result ? `${result} ${text.afterwards}`.trim() : text.statusLine;
    return { position: model.shown, names, clocks, status, commands: Object.fromEntries(means) };
  }
}
