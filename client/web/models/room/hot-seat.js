// Let two people at one screen play: the second one gets a connection and a player of their own.
//
// A move is that of the connection's player, so the second person is a player too. Their
// token is kept in the browser by name, and which name plays in which room, so that a reloaded page
// connects both people again.

import { outer } from "../../address.js";
import { Identity } from "../../net/identity.js";
import { Link } from "../../net/link.js";
import { watchWakeups } from "../../net/wakeups.js";
import { tr } from "../../texts.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../types/wire.js").MatchSettingsInput} MatchSettings */

/** How many rooms are remembered. */
const KEPT = 20;
const ROOMS = "hotSeats";

/** @type {WeakMap<App, HotSeats>} */
const known = new WeakMap();

/**
 * Create a private room in which this player meets a second person at the same screen.
 *
 * Reject with an error that has a `sentence` when a name or the settings are refused.
 *
 * @param {App} app
 * @param {{settings: MatchSettings, seat?: number | null, secondName: string}} match
 * @returns {Promise<string>} the id of the room
 */
export function startHotSeat(app, match) {
  return hotSeatsOf(app).start(match);
}

/**
 * Return the link of the second person in a room, or null if there is none.
 *
 * @param {App} app
 * @param {string} room
 */
export function guestIn(app, room) {
  return hotSeatsOf(app).guest(room);
}

/**
 * Let the second person leave a room.
 *
 * @param {App} app
 * @param {string} room
 */
export function dropGuest(app, room) {
  return hotSeatsOf(app).drop(room);
}

/** @param {App} app */
function hotSeatsOf(app) {
  const found = known.get(app) ?? new HotSeats(app);
  known.set(app, found);
  return found;
}

/** The second people at this page, by name. */
class HotSeats {
  /** @param {App} app */
  constructor(app) {
    this._app = app;
    /** @type {Map<string, Link>} */
    this._links = new Map();
    /** @type {(() => void) | null} */
    this._unwatch = null;
    /** @type {Set<() => void>} */
    this._waiting = new Set();
  }

  /** @param {{settings: MatchSettings, seat?: number | null, secondName: string}} match */
  async start({ settings, seat = null, secondName }) {
    const app = this._app;
    await app.connect();
    if (secondName.toLowerCase() === app.me.value.toLowerCase()) {
      const sentence = tr("{name} is your name. Choose another one for the second player.", { name: secondName });
      throw Object.assign(new Error(sentence), { code: "bad_name", sentence });
    }
    const link = await this._connect(secondName);
    const key = app.key();
    const made = await app.request({ type: "create_room", key, settings, seat, private: true });
    try {
      await link.request({ type: "join_room", room: made.room, code: made.code });
    } catch (error) {
      app.request({ type: "leave", room: made.room }).catch(() => {});
      throw error;
    }
    const rooms = Object.entries(this._rooms()).slice(1 - KEPT);
    app.storage.set(ROOMS, Object.fromEntries([...rooms, [made.room, secondName]]));
    return /** @type {string} */ (made.room);
  }

  /** @param {string} room */
  guest(room) {
    const name = this._rooms()[room];
    if (typeof name !== "string") return null;
    const link = this._link(name);
    link.start();
    return link;
  }

  /** @param {string} room */
  async drop(room) {
    const { [room]: name, ...rooms } = this._rooms();
    const link = typeof name === "string" && this._links.get(name);
    if (!link) return; // the second person sits at another tab, or nowhere
    this._app.storage.set(ROOMS, rooms);
    if (Object.values(rooms).includes(name)) return;
    this._links.delete(name);
    // The room may be gone already; then there is nothing to leave.
    await link.request({ type: "leave", room }, 5).catch(() => {});
    link.close();
  }

  /**
   * Connect the person called `name`, and return their link once they are welcome.
   *
   * @param {string} name
   * @returns {Promise<Link>}
   */
  async _connect(name) {
    const link = this._link(name);
    if (link.state === "connected") return link;
    const knows = new Identity(this._store(name)).token !== null;
    if (!knows) {
      await link.signIn(name);
      return link;
    }
    link.start();
    link.takeOver();
    await new Promise((/** @type {(none: void) => void} */ resolve, reject) => {
      const look = () => {
        if (link.state === "connecting" || link.state === "lost") return;
        this._waiting.delete(look);
        if (link.state === "connected") resolve();
        else reject(Object.assign(new Error(link.sentence), { code: "", sentence: link.sentence }));
      };
      this._waiting.add(look);
      look();
    });
    return link;
  }

  /** @param {string} name */
  _link(name) {
    const found = this._links.get(name);
    if (found !== undefined) return found;
    const { topics } = this._app;
    const link = new Link({
      url: location.origin.replace(/^http/, "ws") + outer("/socket"),
      identity: new Identity(this._store(name)),
      onUpdates: (updates) => {
        for (const update of updates) {
          topics.grow("room" in update ? `room:${update.room}` : "link");
        }
        for (const look of [...this._waiting]) look();
      },
    });
    this._links.set(name, link);
    // The app watches over its own link only.
    const check = () => this._links.forEach((each) => each.check());
    const rest = () => this._links.forEach((each) => each.rest());
    this._unwatch ??= watchWakeups({ check, rest }, window);
    return link;
  }

  /** @param {string} name */
  _store(name) {
    const { storage } = this._app;
    const place = `guest.${name.toLowerCase()}`;
    return {
      get: () => storage.get(place),
      set: (/** @type {string} */ _, /** @type {unknown} */ value) => storage.set(place, value),
    };
  }

  /** @returns {Record<string, unknown>} */
  _rooms() {
    const kept = this._app.storage.get(ROOMS);
    return typeof kept === "object" && kept !== null ? { ...kept } : {};
  }
}
