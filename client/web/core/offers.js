// Keep this player's open seeks and challenges, and the open challenges to this player.

import { tr } from "../texts.js";

/**
 * @import { Challenged, ClientMessage, Failed, NewRequest, OfferEnded, RoomState }
 *   from "./messages.js"
 * @import { CancelChallenge, CancelSeek, Challenge, QuickMatch, Seek } from "../types/wire"
 * @import { Update } from "./updates.js"
 */

/** The most open challenges to this player that are kept; the oldest is dropped for a new one. */
export const MAX_CHALLENGES = 256;

/**
 * A request that creates an open offer.
 * @typedef {Seek | QuickMatch | Challenge} Offering
 */

/**
 * An open seek or challenge of this player, and the request that created it. `withdrawn` is true
 * once the player has asked to cancel it. It is then not renewed after a reconnect.
 * @typedef {{offer: string, request: Offering, withdrawn: boolean}} OwnOffer
 */

/**
 * The open offers by id: `mine`, and the `challenges` to this player.
 *
 * After a reconnect the server repeats all open challenges to the player right after the welcome.
 * Until then the challenges from before the reconnect are `unconfirmed`. The first message of
 * another kind shows that the server has repeated them all; those still unconfirmed have expired.
 */
export class Offers {
  /** @type {Map<string, OwnOffer>} */
  mine = new Map();
  /** @type {Map<string, Challenged>} */
  challenges = new Map();
  /** @type {Set<string>} */
  unconfirmed = new Set();

  /**
   * Return the open offer that an earlier request with the same key created, if any.
   * @param {ClientMessage | null} request
   * @returns {OwnOffer | null}
   */
  madeBy(request) {
    if (!isOffering(request)) return null;
    for (const offer of this.mine.values()) {
      if (offer.request.key === request.key) return offer;
    }
    return null;
  }

  /**
   * Return the requests that renew this player's offers after a welcome.
   *
   * Offers that the player is cancelling are left out. All challenges become unconfirmed.
   * @returns {NewRequest[]}
   */
  renew() {
    this.unconfirmed = new Set(this.challenges.keys());
    return [...this.mine.values()]
      .filter((offer) => !offer.withdrawn)
      .map(({ request: { id: _, ...request } }) => request);
  }

  /**
   * Mark the offer that `request` is about to cancel, so that it is not renewed.
   * @param {CancelSeek | CancelChallenge} request
   */
  withdraw(request) {
    const offer = this.mine.get(cancelled(request));
    if (offer) offer.withdrawn = true;
  }

  /**
   * Add the offer that `request` created or renewed.
   * @param {string} id
   * @param {ClientMessage | null} request
   * @returns {Update[]}
   */
  posted(id, request) {
    if (!isOffering(request)) return [];
    const old = this.madeBy(request);
    // A renewal must not undo the player's request to cancel the offer.
    this.mine.set(id, { offer: id, request, withdrawn: old !== null && old.withdrawn });
    if (old === null || old.offer === id) return [];
    this.mine.delete(old.offer);
    return [{ kind: "offerRenewed", old: old.offer, new: id }];
  }

  /**
   * Remove the offer that led to the room of `message`; report it if it was this player's.
   * @param {RoomState} message
   * @param {ClientMessage | null} request
   * @returns {Update[]}
   */
  seat(message, request) {
    let origin = message.origin;
    for (const event of message.events ?? []) {
      if (event.type === "room_created") origin ??= event.origin;
    }
    if (origin !== null) this.challenges.delete(origin);
    origin = this.madeBy(request)?.offer ?? origin;
    if (origin === null || !this.mine.delete(origin)) return [];
    return [{ kind: "seated", room: message.room, origin }];
  }

  /**
   * Add a challenge to this player, unless it is a repeated one.
   * @param {Challenged} challenge
   * @returns {Update[]}
   */
  received(challenge) {
    const known = this.challenges.has(challenge.challenge);
    this.unconfirmed.delete(challenge.challenge);
    this.challenges.set(challenge.challenge, challenge);
    for (const oldest of this.challenges.keys()) {
      if (this.challenges.size <= MAX_CHALLENGES) break;
      this.challenges.delete(oldest);
    }
    return known ? [] : [{ kind: "challenge", challenge }];
  }

  /**
   * Remove the challenges that the server did not repeat after a reconnect.
   * @returns {Update[]}
   */
  expire() {
    const expired = [...this.unconfirmed].sort();
    this.unconfirmed = new Set();
    return expired.flatMap((id) => this.end(id, "expired", tr("It ended while you were away.")));
  }

  /**
   * Remove an offer that ended without a match.
   * @param {string} offer
   * @param {OfferEnded["outcome"]} outcome
   * @param {string} reason
   * @returns {Update[]}
   */
  end(offer, outcome, reason = "") {
    const mine = this.mine.delete(offer);
    const theirs = this.challenges.delete(offer);
    return mine || theirs ? [{ kind: "offerClosed", offer, outcome, reason }] : [];
  }

  /**
   * Remove the offer that a successful `request` cancelled or declined.
   * @param {ClientMessage | null} request
   * @returns {Update[]}
   */
  takeDone(request) {
    switch (request?.type) {
      case "cancel_seek":
      case "cancel_challenge":
        return this.end(cancelled(request), "cancelled");
      case "decline_challenge":
        return this.end(request.challenge, "declined", request.reason);
      default:
        return [];
    }
  }

  /**
   * Remove the offer that, by the refusal of `request`, is not open any more.
   * @param {Failed} message
   * @param {ClientMessage | null} request
   * @returns {Update[]}
   */
  takeFailure(message, request) {
    const { code, message: sentence } = message;
    switch (request?.type) {
      case "seek":
      case "quick_match":
      case "challenge": {
        const offer = this.madeBy(request);
        // The server refused to renew it, so the offer is not open any more.
        return offer === null ? [] : this.end(offer.offer, "left", sentence);
      }
      case "accept_challenge":
      case "decline_challenge":
        if (code !== "unknown_challenge") return [];
        return this.end(request.challenge, "expired", sentence);
      case "cancel_seek":
      case "cancel_challenge":
        if (code !== "unknown_seek" && code !== "unknown_challenge") return [];
        return this.end(cancelled(request), "expired", sentence);
      default:
        return [];
    }
  }
}

/**
 * @param {ClientMessage | null} request
 * @returns {request is Offering}
 */
function isOffering(request) {
  return (
    request?.type === "seek" || request?.type === "quick_match" || request?.type === "challenge"
  );
}

/**
 * Return the id of the offer that `request` cancels.
 * @param {CancelSeek | CancelChallenge} request
 */
function cancelled(request) {
  return request.type === "cancel_seek" ? request.seek : request.challenge;
}
