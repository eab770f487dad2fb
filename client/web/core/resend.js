// Decide what happens to a request that was sent before, but has no answer yet.
//
// Theory of operation
// -------------------
// When a connection breaks, the server may or may not have carried out a request that was sent.
// Moves and takebacks (identified by their ply and the takebacks before), requests with an
// idempotency key, and requests that only read can safely be sent again. Before any other request is
// repeated, its room is brought up to date. If the mirror then shows that the server carried the
// request out, the answer comes from the mirror. If not, the request is sent again. When a repeated
// request to end something fails because that thing no longer exists, its first copy must have
// succeeded. A phrase is never sent again.

import { tr } from "../texts.js";

/**
 * @import { ClientMessage, Done, Failed, ServerMessage } from "./messages.js"
 * @import { RoomMirror } from "./room.js"
 */

/**
 * What to do with a request: send one, or deliver an answer.
 * @typedef {{send: ClientMessage} | {answer: ServerMessage}} Outcome
 */

/** The codes of temporary refusals. The request is sent again after a delay. */
export const RETRIED = new Set(["storage_failed", "rate_limited", "closing"]);

const SPOKEN = new Set(["say_phrase", "say"]);
export const LOST_PHRASE = tr("The connection broke, so your phrase may be lost. Say it again if you like.");

const ALREADY_GONE = new Set(["unknown_room", "unknown_seek", "unknown_challenge", "not_seated"]);

/**
 * Return whether a refused request is sent again after a delay.
 * @param {ClientMessage | undefined} request undefined: an unknown one
 * @param {Failed} failed
 */
export function isTemporary(request, failed) {
  // Nobody wants to say a phrase a minute later.
  return RETRIED.has(failed.code) && !SPOKEN.has(request?.type ?? "");
}

/**
 * Return the request to send in place of `request`, or the answer to its first copy.
 * @param {ClientMessage} request
 * @param {number | null} match the number of the room's match when the request was made
 * @param {RoomMirror | null} mirror the request's room, already up to date, or null if it concerns
 *   no followed room
 * @returns {Outcome}
 */
export function sendAgain(request, match, mirror) {
  // It may have been said, and saying it twice or much later would be odd.
  if (SPOKEN.has(request.type)) return failure(request, "wrong_state", LOST_PHRASE);
  if (mirror === null) return { send: request };
  if (mirror.status === "closed") return afterClose(request, mirror);
  switch (request.type) {
    case "join_room":
      if (mirror.seat === null) break;
      // The first copy has taken the seat, so a second one would be refused.
      return { send: { type: "resume", id: request.id, room: mirror.room, seq: mirror.seq } };
    case "resign":
    case "abort":
    case "claim":
    case "crash":
      return ending(request, match, mirror);
    case "rematch":
      return rematch(request, match, mirror);
  }
  return { send: request };
}

/**
 * Return the answer to a request that was sent twice, if its refusal shows that the first copy
 * succeeded; otherwise null.
 * @param {ClientMessage} request
 * @param {Failed} failed
 * @returns {Done | null}
 */
export function doneBefore(request, failed) {
  if (!ALREADY_GONE.has(failed.code)) return null;
  switch (request.type) {
    case "leave":
    case "cancel_seek":
    case "cancel_challenge":
    case "decline_challenge":
      return { type: "done", id: request.id };
    default:
      return null;
  }
}

/**
 * Return what `sendAgain` returns for a request about a closed room.
 * @param {ClientMessage} request
 * @param {RoomMirror} mirror
 * @returns {Outcome}
 */
function afterClose(request, mirror) {
  switch (request.type) {
    case "leave":
      return { answer: { type: "done", id: request.id } };
    case "move":
    case "ask_takeback":
    case "answer_takeback":
    case "resign":
    case "abort":
    case "claim":
    case "crash":
    case "rematch":
    case "decline_rematch":
      return failure(request, "unknown_room", mirror.sentence || tr("The room was closed."));
    default:
      return { send: request };
  }
}

/**
 * Return what `sendAgain` returns for a request that ends a match.
 * @param {ClientMessage} request
 * @param {number | null} match
 * @param {RoomMirror} mirror
 * @returns {Outcome}
 */
function ending(request, match, mirror) {
  if (match === null || match === mirror.match) {
    if (mirror.status !== "finished" || mirror.finished === null) return { send: request };
    return { answer: { ...mirror.finished, id: request.id } };
  }
  // If it were sent now, it would end the next match.
  const sentence = tr("Match {number} was over before the connection was back.", { number: match });
  return failure(request, "wrong_state", sentence);
}

/**
 * Return what `sendAgain` returns for a rematch offer.
 * @param {ClientMessage} request
 * @param {number | null} match
 * @param {RoomMirror} mirror
 * @returns {Outcome}
 */
function rematch(request, match, mirror) {
  const { room, seat, started } = mirror;
  // The next match has begun, so the offer was accepted.
  if (match !== null && mirror.match > match && started !== null) {
    return { answer: { ...started, id: request.id } };
  }
  if (seat !== null && mirror.rematch[seat]) {
    const seq = Math.max(1, mirror.seq);
    return { answer: { type: "rematch_offered", room, seq, seat, id: request.id } };
  }
  return { send: request };
}

/**
 * @param {ClientMessage} request
 * @param {string} code
 * @param {string} message
 * @returns {Outcome}
 */
function failure(request, code, message) {
  return { answer: { type: "error", id: request.id, code, message, phrase: null } };
}
