// Follow the rooms whose boards are shown, and stop following those that are not.

/** @typedef {import("../../app/app.js").App} App */

export class Followed {
  #app;
  /** @type {readonly string[]} */
  #wanted = [];
  /** @type {(room: string) => void} */
  #onClosed = () => {};
  /** @type {Set<string>} the rooms that this wall has asked for */
  #asked = new Set();
  /** The room that the visitor goes to; its page goes on following it. */
  #chosen = "";
  #visible = () => this.#refresh();

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Begin to follow what is shown, and pause while the tab is hidden. */
  open() {
    document.addEventListener("visibilitychange", this.#visible);
  }

  /** Stop following everything. */
  close() {
    document.removeEventListener("visibilitychange", this.#visible);
    this.#wanted = [];
    this.#refresh();
  }

  /**
   * Follow these rooms and no others; call `onClosed` for each that the server does not have any more.
   *
   * @param {readonly string[]} rooms
   * @param {(room: string) => void} onClosed
   */
  want(rooms, onClosed) {
    this.#wanted = rooms;
    this.#onClosed = onClosed;
    this.#refresh();
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
    const rooms = document.visibilityState === "visible" ? this.#wanted : [];
    for (const room of this.#asked) if (!rooms.includes(room)) this.#leave(room);
    for (const room of rooms) if (!this.#asked.has(room)) void this.#watch(room);
  }

  /** @param {string} room */
  async #watch(room) {
    if (this.#app.session.rooms.get(room)?.seat != null) return; // a game of one's own
    this.#asked.add(room);
    try {
      await this.#app.connect();
      if (!this.#asked.has(room)) return; // another took its place meanwhile
      await this.#app.request({ type: "watch", room });
    } catch (error) {
      this.#asked.delete(room);
      const { code } = /** @type {{code?: string}} */ (error);
      const gone = code === "unknown_room" || code === "wrong_state";
      if (gone && this.#wanted.includes(room)) this.#onClosed(room);
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
