// Mirror the reviews of finished games that this player waits for, and the last finished ones.

/**
 * @import { ClientMessage, Failed, NewRequest, ReviewState } from "./messages.js"
 * @import { Update } from "./updates.js"
 */

/** How many reviews are kept; the one that changed longest ago goes first. */
export const MOST_KEPT = 8;

/**
 * The reviews of one player, in `known` by the id of the game.
 *
 * The server makes one review at a time for a player: who asks for another one that has to be made
 * gives up the first, so that one is forgotten here too.
 */
export class Reviews {
  /** @type {Map<string, ReviewState>} */
  known = new Map();
  /** The requests for them, without ids. @type {Map<string, NewRequest>} */
  #asked = new Map();

  /**
   * Apply a message about a review.
   * @param {ReviewState} message
   * @param {ClientMessage | null} request the request that it answers, or null
   * @returns {Update[]}
   */
  take(message, request) {
    const game = message.game_id;
    if (request?.type === "get_review") {
      const { id, ...asked } = request;
      this.#asked.set(game, asked);
      if (isOpen(message)) {
        for (const [other, review] of this.known) if (isOpen(review)) this.known.delete(other);
      }
    } else if (!this.known.has(game)) {
      return []; // it was sent before the server knew that this player gave it up
    }
    this.known.delete(game);
    this.known.set(game, message);
    const [oldest] = this.known.keys();
    if (this.known.size > MOST_KEPT) this.known.delete(oldest);
    for (const key of this.#asked.keys()) if (!this.known.has(key)) this.#asked.delete(key);
    return [{ kind: "review", game }];
  }

  /**
   * Apply the refusal of a request: a review that was under way has failed.
   * @param {Failed} message
   * @param {string} game
   * @returns {Update[]}
   */
  refuse(message, game) {
    const known = this.known.get(game);
    if (!known || !isOpen(known)) return [];
    const reason = message.message;
    this.known.set(game, { ...known, id: null, status: "failed", place: 0, reason });
    return [{ kind: "review", game }];
  }

  /**
   * Return the requests that ask again for the reviews under way, after a reconnect.
   * @returns {NewRequest[]}
   */
  renew() {
    return [...this.#asked].flatMap(([game, asked]) => {
      const review = this.known.get(game);
      return review && isOpen(review) ? [asked] : [];
    });
  }
}

/**
 * Return whether the review waits or is being made.
 * @param {ReviewState} review
 */
export function isOpen(review) {
  return review.status === "queued" || review.status === "working";
}
