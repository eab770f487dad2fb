// The phrases that players say: their words, and how long each one is shown.

import { tr } from "../../texts.js";

/** @typedef {import("../../types/wire.js").SayPhrase["phrase"]} Phrase */

/** How long a phrase is shown, in seconds. */
export const SHOWN_S = 8;

/** The words of each phrase, in the order of a match. @type {Readonly<Record<Phrase, string>>} */
export const PHRASES = {
  hello: tr("Hello!"),
  good_luck: tr("Good luck!"),
  have_fun: tr("Have fun!"),
  nice_move: tr("Nice move!"),
  oops: tr("Oops!"),
  thanks: tr("Thank you!"),
  well_played: tr("Well played!"),
  good_game: tr("Good game!"),
  one_more: tr("One more?"),
  goodbye: tr("Goodbye!"),
};

const WORDS = new Map(Object.entries(PHRASES));

/**
 * Return the phrase that a person has typed, by its words or its name, or null.
 *
 * @param {string} text
 * @returns {Phrase | null}
 */
export function phraseOf(text) {
  const plain = (/** @type {string} */ words) => words.toLowerCase().replace(/[^\p{L}]+/gu, "");
  const found = Object.entries(PHRASES).find((each) => each.map(plain).includes(plain(text)));
  return /** @type {Phrase | null} */ (found?.[0] ?? null);
}

/** What the players of a room have said last. */
export class RoomPhrases {
  /** @type {Map<number, {text: string, until: number, own: boolean}>} */
  #said = new Map();

  /**
   * Note what `seat` said at `now`, in seconds; return the words, which are empty for a phrase of a
   * newer server.
   *
   * @param {number} seat
   * @param {string} phrase
   * @param {number} now
   * @param {boolean} own whether the seat belongs to this page
   */
  take(seat, phrase, now, own) {
    const text = WORDS.get(phrase) ?? "";
    if (text) this.#said.set(seat, { text, until: now + SHOWN_S, own });
    return text;
  }

  /**
   * Return the words of `seat` that are shown at `now`, in seconds; usually empty.
   *
   * @param {number} seat
   * @param {number} now
   */
  line(seat, now) {
    const said = this.#said.get(seat);
    return said !== undefined && now < said.until ? said.text : "";
  }

  /** Forget what others have said, because they are muted now. */
  mute() {
    for (const [seat, { own }] of this.#said) if (!own) this.#said.delete(seat);
  }

  /** Forget everything, because another match begins and the seats have changed. */
  clear() {
    this.#said.clear();
  }
}
