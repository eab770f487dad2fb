// Signals that grow when something changes, so that components know when to read the mirrors again.
//
// Each component reads the topics of the mirrors that it shows. It is not enough that its parent does:
// a component whose props are the same as before is not rendered again.

import { signal } from "@preact/signals";

/** @typedef {import("@preact/signals").Signal<number>} Topic */

export class Topics {
  /** @type {Map<string, Topic>} */
  #topics = new Map();

  /**
   * Return the topic of this name, such as `lobby`, `link`, `offers` or `room:ID`.
   * @param {string} name
   * @returns {Topic}
   */
  of(name) {
    let topic = this.#topics.get(name);
    if (topic === undefined) {
      // Rooms and tournaments come and go; a name with a colon lasts as long as its readers.
      const unwatched = name.includes(":") ? () => void this.#topics.delete(name) : undefined;
      topic = signal(0, { unwatched });
      this.#topics.set(name, topic);
    }
    return topic;
  }

  /**
   * Note that something of this name has changed.
   * @param {string} name
   */
  grow(name) {
    const topic = this.#topics.get(name);
    // Nobody reads a topic that does not exist yet.
    if (topic !== undefined) topic.value += 1;
  }

  /** How many topics there are. */
  get size() {
    return this.#topics.size;
  }

  /** Note that everything may have changed. */
  growAll() {
    for (const topic of this.#topics.values()) topic.value += 1;
  }
}
