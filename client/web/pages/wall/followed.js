// Follow the rooms whose boards are in view, and stop following those that are not.

/** @typedef {import("../../app/app.js").App} App */

export class Followed {
  #app;
  /** @type {Map<string, () => void>} the rooms in view, with what to do when one is closed already */
  #wanted = new Map();
  /** @type {Set<string>} the rooms that this wall has asked for */
  #asked = new Set();
  /** The room that the visitor goes to; its page goes on following it. */
  #chosen = "";
  #visible = () => this.#refresh();

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Begin to follow what is in view, and pause while the tab is hidden. */
  open() {
    document.addEventListener("visibilitychange", this.#visible);
  }

  /** Stop following everything. */
  close() {
    document.removeEventListener("visibilitychange", this.#visible);
    this.#wanted.clear();
    this.#refresh();
  }

  /**
   * Follow a room while it is in view; call `onClosed` if the server has no such room any more.
   *
   * @param {string} room
   * @param {() => void} onClosed
   */
  want(room, onClosed) {
    this.#wanted.set(room, onClosed);
    this.#refresh();
  }

  /** @param {string} room */
  unwant(room) {
    if (this.#wanted.delete(room)) this.#refresh();
  }

  /**
   * Note that the visitor goes to the page of this room.
   *
   * @param {string} room
   */
  choose(room) {
    this.#chosen = room;
  }

  #refresh() {
    const rooms = document.visibilityState === "visible" ? [...this.#wanted.keys()] : [];
    for (const room of this.#asked) if (!rooms.includes(room)) this.#leave(room);
    for (const room of rooms) if (!this.#asked.has(room)) void this.#watch(room);
  }

  /** @param {string} room */
  async #watch(room) {
    if (this.#app.session.rooms.get(room)?.seat != null) return; // a game of one's own
    this.#asked.add(room);
    try {
      await this.#app.connect();
      if (!this.#asked.has(room)) return; // it went out of view meanwhile
      await this.#app.request({ type: "watch", room });
    } catch (error) {
      this.#asked.delete(room);
      const { code } = /** @type {{code?: string}} */ (error);
      if (code === "unknown_room" || code === "wrong_state") this.#wanted.get(room)?.();
    }
  }

  /** @param {string} room */
  #leave(room) {
    this.#asked.delete(room);
    const mirror = this.#app.session.rooms.get(room);
    if (room === this.#chosen || mirror === undefined || mirror.seat !== null) return;
    // A refusal means that the room is gone, which is what we want.
    this.#app.request({ type: "leave", room }).catch(() => {});
  }
}
