// What all parts of the page share: the connection, the address, settings, messages and sounds.
//
// Theory of operation
// -------------------
// Components read the mirrors of the session directly. A topic (`app.topics`) tells them when to read
// them again. A visitor without a name has no connection yet: `connect` joins with a name.

import { batch, computed, signal } from "@preact/signals";

import { LinkEnded, RequestRefused } from "../core/errors.js";
import { guestName } from "../models/lobby/names.js";
import { waitsElsewhere } from "../models/open-games.js";
import { newKey } from "../net/keys.js";
import { tr } from "../texts.js";
import { runningGames } from "./elsewhere.js";
import { needsName, askName } from "./naming.js";
import { Notices } from "./notices.js";
import { People } from "./people.js";
import { Topics } from "./topics.js";

/**
 * @import { Link } from "../net/link.js"
 * @import { Identity } from "../net/identity.js"
 * @import { NewRequest } from "../core/messages.js"
 * @import { Update } from "../core/updates.js"
 * @import { Welcome } from "../types/wire"
 */
/**
 * What the app is made of; tests pass their own parts.
 * @typedef {{
 *   navigation: import("./navigation.js").Navigation,
 *   storage: import("./storage.js").Storage,
 *   settings: import("./settings.js").Settings,
 *   voice: import("@preact/signals").ReadonlySignal<boolean>,
 *   sounds: import("./sounds.js").Sounds,
 *   games: import("./catalogue.js").Games,
 *   identity: Identity,
 *   makeLink: (onUpdates: (updates: Update[]) => void) => Link,
 *   now: () => number,
 *   random: () => number,
 * }} Parts
 */

/** How many names are tried for a guest, since others may have them. */
const GUEST_NAMES = 5;

export class App {
  topics = new Topics();
  notices = new Notices();
  /** Whether this browser has a name or a token, so that nobody has to be asked for one. */
  known;
  /** The name of this player, empty before the first welcome. */
  me = signal("");
  /** Whether this player manages the server, as far as the page knows. */
  admin = signal(false);
  /** What the host tells everybody until `untilMs`; an empty text: nothing. */
  announcement = signal(/** @type {{text: string, untilMs: number | null}} */ ({ text: "", untilMs: null }));
  /** Whether the connection is up. */
  connected = signal(false);
  /** What the live region says; the count makes a repeated text a new one. */
  spoken = signal({ text: "", assertive: false, count: 0 });
  /** The title of the shown page. */
  title = signal("");
  /** The shortcuts of the shown page, for the list behind `?`. */
  shortcuts = signal(/** @type {readonly {keys: string, what: string}[]} */ ([]));
  /** The open dialog of the frame; null: none. */
  dialog = signal(/** @type {"challenge" | "name" | "settings" | "shortcuts" | null} */ (null));
  /** What waits for the answer of the dialog that asks for a name. @type {((named: boolean) => void) | null} */
  naming = null;
  /** The rooms where the person has muted phrases, or wants them again. @type {Map<string, boolean>} */
  mutedRooms = new Map();
  #parts;
  #followed;
  /** @type {Set<(updates: Update[]) => void>} */
  #listeners = new Set();
  /** @type {{resolve: (welcome: Welcome) => void, reject: (error: Error) => void}[]} */
  #waiting = [];
  /** @type {Promise<Welcome> | null} The new player who is being welcomed. */
  #joining = null;

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.settings = parts.settings;
    this.storage = parts.storage;
    this.sounds = parts.sounds;
    /** Whether this is the tab of the browser in which the person was last. */
    this.voice = parts.voice;
    this.games = parts.games;
    this.identity = parts.identity;
    this.now = parts.now;
    this.random = parts.random;
    this.people = new People(this);
    this.route = parts.navigation.place;
    this.known = signal(Boolean(parts.identity.token || parts.identity.name));
    /** The connection; it waits for a name if there is none. */
    this.link = parts.makeLink((updates) => this.take(updates));
    /** Whether a match of this player waits for its move. */
    this.myTurn = computed(() => {
      this.topics.of("rooms").value;
      return runningGames(this.session.rooms.values()).some((room) => room.toMove === room.seat);
    });
    /** The followed rooms, which change more rarely than what happens in them. */
    this.#followed = computed(() => {
      this.topics.of("rooms").value;
      return [...this.session.rooms.keys()].join();
    });
  }

  /** Whether the player has a name that a person has chosen, or has agreed to. */
  get named() {
    return this.known.peek() && !this.identity.guest;
  }

  /** The games that wait for this player to move, the most urgent first. */
  get waiting() {
    this.topics.of("openGames").value;
    this.#followed.value;
    const { openGames, rooms } = this.session;
    return openGames.games.filter((game) => waitsElsewhere(game, rooms));
  }

  /** The mirror of the server; empty before the first welcome. */
  get session() {
    return this.link.session;
  }

  /**
   * Follow the address and the first gesture, and connect if this browser has a player.
   * @param {Window} window
   */
  start(window) {
    this.#parts.navigation.listen();
    this.sounds.listen(window.document);
    this.link.start();
  }

  // -- connection --------------------------------------------------------------------------------

  /**
   * Connect, as the new player `name` if given, else as the one this browser knows or as a guest.
   * @param {string} [name]
   * @returns {Promise<Welcome>} rejects with an error that has `sentence`, and `code` if refused
   */
  async connect(name) {
    await this.#enter(name);
    return this.#welcomed();
  }

  /** @param {string} [name] */
  async #enter(name) {
    const { link, identity } = this;
    if (link.state === "nameless" && this.#joining === null) {
      // Another tab may have chosen a name meanwhile, and its player must not be forgotten.
      identity.reload();
      if (identity.token !== null) return link.start();
    }
    if (name !== undefined) await this.#join(() => link.signIn(name));
    else if (this.#joining !== null) await this.#joining;
    else if (!this.known.peek()) await this.#join(() => this.#joinAsGuest());
  }

  /** @returns {Promise<Welcome>} */
  async #welcomed() {
    const { link } = this;
    const { welcome } = link.session;
    if (welcome !== null && link.state === "connected") return welcome;
    if (link.state === "ended") throw new LinkEnded(link.sentence);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /**
   * Go on as the player of a token, after a login.
   * @param {string} token
   */
  enter(token) {
    return this.#join(() => this.link.enter({ name: null, token, key: null }));
  }

  /** @param {() => Promise<Welcome>} join */
  async #join(join) {
    const joining = join();
    this.#joining = joining;
    try {
      return await joining;
    } finally {
      if (this.#joining === joining) this.#joining = null;
    }
  }

  async #joinAsGuest() {
    for (let left = GUEST_NAMES; ; left--) {
      try {
        const welcome = await this.link.signIn(guestName(this.random));
        this.identity.lend(true);
        return welcome;
      } catch (error) {
        const taken = error instanceof RequestRefused && error.code === "name_taken";
        if (!taken || left === 1) throw error;
      }
    }
  }

  /**
   * Send a request and return its answer; it waits for the connection if that is lost. What other people
   * see waits for a name first.
   * @param {NewRequest} message - without an id
   * @returns {Promise<any>} rejects with an error that has `sentence`
   */
  async request(message) {
    if (needsName(this, message) && !(await askName(this))) throw new Nameless();
    if (!this.known.peek()) await this.connect();
    try {
      return await this.link.request(message);
    } finally {
      // Answers to offers change the list of own offers without an update.
      if (message.type !== "move") this.topics.grow("offers");
    }
  }

  /** Return a new idempotency key. */
  key() {
    return newKey();
  }

  /**
   * Call `listener` with all later updates of the session, after the topics have grown.
   * @param {(updates: Update[]) => void} listener
   * @returns {() => void} stops that
   */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Apply updates of the session.
   * @param {Update[]} updates
   */
  take(updates) {
    if (updates.some((update) => update.kind === "link")) this.#readLink();
    const names = new Set(updates.flatMap(topicsOf));
    for (const name of names) this.topics.grow(name);
    for (const listener of this.#listeners) listener(updates);
  }

  // -- what pages do -----------------------------------------------------------------------------

  /**
   * Show another address of the page.
   * @param {string} path
   * @param {{replace?: boolean}} [how]
   */
  navigate(path, how) {
    this.#parts.navigation.go(path, how);
  }

  /** @param {string} title - of the shown page */
  setTitle(title) {
    this.title.value = title;
  }

  /**
   * Show a message in the strip.
   * @param {string} sentence
   * @param {import("./notices.js").How} [how]
   * @returns {() => void} closes it
   */
  notify(sentence, how) {
    return this.notices.add(sentence, this.now(), how);
  }

  /**
   * Show why something failed: the error's sentence for people.
   * @param {unknown} error
   */
  complain(error) {
    this.notify(sentenceOf(error), { kind: "bad" });
  }

  /**
   * Let a screen reader say something.
   * @param {string} text
   * @param {{assertive?: boolean}} [how]
   */
  say(text, { assertive = false } = {}) {
    this.spoken.value = { text, assertive, count: this.spoken.peek().count + 1 };
  }

  /** @returns {Promise<import("../types/api").Catalogue>} */
  catalogue() {
    return this.games.catalogue();
  }

  /**
   * @param {string} game
   * @param {Record<string, number>} params
   * @returns {Promise<import("../types/api").GameGeometry>}
   */
  geometry(game, params) {
    return this.games.geometry(game, params);
  }

  #readLink() {
    const { link } = this;
    if (link === undefined) return; // the link is being made
    const { welcome, player } = link.session;
    const name = player?.name ?? "";
    const changed = name !== this.me.peek();
    batch(() => {
      this.connected.value = link.state === "connected";
      this.me.value = name;
      this.known.value = Boolean(this.identity.token || this.identity.name);
      // Another player has other rooms and offers.
      if (changed) this.topics.growAll();
    });
    if (welcome !== null && this.connected.peek()) {
      for (const { resolve } of this.#waiting.splice(0)) resolve(welcome);
    } else if (link.state === "ended" || link.state === "nameless") {
      for (const { reject } of this.#waiting.splice(0)) reject(new LinkEnded(link.sentence));
    }
  }
}

/** A person has chosen no name for something that others see. */
class Nameless extends Error {
  sentence = tr("You have chosen no name, so nothing was sent.");
}

/**
 * Return the sentence of an error for people.
 * @param {unknown} error
 * @returns {string}
 */
export function sentenceOf(error) {
  if (typeof error === "object" && error !== null && "sentence" in error) {
    return String(error.sentence);
  }
  return tr("That did not work. Load the page again, and try once more.");
}

/**
 * @param {Update} update
 * @returns {string[]}
 */
function topicsOf(update) {
  switch (update.kind) {
    case "room":
    case "presence":
    case "roomLeft":
    case "roomLost":
      return [`room:${update.room}`, "rooms"];
    case "seated":
    case "seatGiven":
      return [`room:${update.room}`, "rooms", "offers"];
    case "challenge":
    case "offerClosed":
    case "offerRenewed":
      return ["offers"];
    case "phrase":
    case "said":
      return []; // only the page of its room shows it
    case "lobby":
      return ["lobby"];
    case "openGames":
      return ["openGames"];
    case "yourTurn":
      return [];
    case "tournament":
      return [`tournament:${update.state.tournament}`];
    case "review":
      return [`review:${update.game}`];
    default:
      return ["link"];
  }
}
