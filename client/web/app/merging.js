// Merge what this browser has learned, and its settings, with the player's account.
//
// The browser's storage always has a whole copy, so everything works without a connection or a name. The server merges;
// the rules are in `server/core/people/progress.py`. If something changes here while it answers, the answer is dropped and the
// new state is sent, so nothing gets lost between the two.

import { texts } from "../models/learn/progress.js";
import { getJson } from "../net/api.js";
import { FITS, TIMES } from "./settings.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("../types/api.js").ProgressAnswer} Answer
 */

const PATH = "/api/account/progress";
/** Where the storage has the account id of whoever the documents belong to. */
const OWNER = "progressOf";
const KINDS = /** @type {const} */ (["lessons", "puzzles", "solver"]);
/** A browser asks for the consent to notifications, so this setting stays there. */
const LOCAL = "notify";
/** How long changes are collected, in milliseconds. */
const COLLECTED_MS = 1000;

export class Merging {
  #app;
  #send;
  #running = false;
  #writing = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {App} app
   * @param {typeof getJson} [send]
   */
  constructor(app, send = getJson) {
    this.#app = app;
    this.#send = send;
  }

  /** Merge after each change. */
  follow() {
    this.#app.storage.onSet = (key) => {
      // The solver of a player comes from the server.
      if (this.#writing || !["lessons", "puzzles", TIMES].includes(key)) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.run(), COLLECTED_MS);
    };
    return this;
  }

  /** Merge until nothing has changed meanwhile. Without an answer, the next change or visit tries again. */
  async run() {
    if (this.#running) return;
    this.#running = true;
    try {
      while (!(await this.#merged()));
    } catch (/** @type {any} */ error) {
      if (!error.sentence) throw error;
      // Somebody has changed the solver by hand; the account has a better one.
      if (error.status === 400) this.#app.storage.set("solver", undefined);
    } finally {
      this.#running = false;
    }
  }

  /** @returns {Promise<boolean>} */
  async #merged() {
    const { storage, identity } = this.#app;
    const { token } = identity;
    if (token === null) return true;
    const sent = this.#documents();
    const owner = storage.get(OWNER) ?? null;
    const ask = (/** @type {object} */ body) =>
      this.#send(PATH, {}, { token, body: { version: 1, ...body } });
    /** @type {Answer} */
    const answer = await ask({ owner, ...sent });
    if (token !== identity.token || JSON.stringify(this.#documents()) !== JSON.stringify(sent)) return false;
    // These are of another player's account, which gets them when that player is here again.
    if (!answer.merged) storage.set(`kept.${owner}`, sent);
    const own = `kept.${answer.account_id}`;
    const kept = storage.get(own);
    if (kept) {
      await ask({ owner: answer.account_id, .../** @type {object} */ (kept) });
      storage.set(own, undefined);
      return false;
    }
    this.#write(answer);
    return true;
  }

  #documents() {
    const { storage, settings } = this.#app;
    const [lessons, puzzles, solver] = KINDS.map((kind) => /** @type {any} */ (storage.get(kind)) ?? {});
    const times = /** @type {any} */ (storage.get(TIMES)) ?? {};
    const changed = Object.keys(settings).flatMap((name) => {
      const value = storage.get(`settings.${name}`);
      return value === undefined || name === LOCAL ? [] : [[name, [value, times[name] ?? 0]]];
    });
    const lists = (/** @type {any} */ found, /** @type {string[]} */ names) =>
      Object.fromEntries(names.map((name) => [name, [...texts(found[name])]]));
    return {
      lessons: lists(lessons, ["solved"]),
      puzzles: lists(puzzles, ["solved", "clean", "days"]),
      settings: Object.fromEntries(changed),
      solver,
    };
  }

  /** @param {Answer} answer */
  #write(answer) {
    const { storage, settings, topics } = this.#app;
    this.#writing = true;
    for (const kind of KINDS) storage.set(kind, answer[kind]);
    /** @type {Record<string, number>} */
    const times = {};
    for (const [name, [value, at]] of Object.entries(answer.settings)) {
      const setting = /** @type {any} */ (settings)[name];
      if (name === LOCAL || !FITS.get(setting)?.(value)) continue;
      setting.value = value;
      storage.set(`settings.${name}`, value);
      times[name] = at;
    }
    storage.set(TIMES, times);
    storage.set("ladder", { .../** @type {any} */ (storage.get("ladder")), results: answer.levels });
    storage.set(OWNER, answer.account_id);
    this.#writing = false;
    topics.grow("progress");
  }
}
