// Read the server's messages, and refuse those that do not have the expected form.

import { EVENTS, MESSAGES } from "../types/forms.js";
import { tr } from "../texts.js";
import { isObject, wrongField } from "./forms.js";

/** @import * as wire from "../types/wire" */

/**
 * A part of a message with all its fields: `readMessage` fills in the defaults.
 * @template T
 * @typedef {T extends object ? {[K in keyof T]-?: Complete<T[K]>} : T} Complete
 */

/** @typedef {wire.ClientMessage} ClientMessage */
/** @typedef {wire.NewRequest} NewRequest */
/** @typedef {Complete<wire.ServerMessage>} ServerMessage */
/** @typedef {Complete<wire.Event>} RoomEvent */
/** @typedef {Complete<wire.RoomCreated>} RoomCreated */
/** @typedef {Complete<wire.Seated>} Seated */
/** @typedef {Complete<wire.MatchStarted>} MatchStarted */
/** @typedef {Complete<wire.MoveMade>} MoveMade */
/** @typedef {Complete<wire.MatchFinished>} MatchFinished */
/** @typedef {Complete<wire.TakebackAsked>} TakebackAsked */
/** @typedef {Complete<wire.TakenBack>} TakenBack */
/** @typedef {Complete<wire.OpenTakeback>} OpenTakeback */
/** @typedef {Complete<wire.RematchOffered>} RematchOffered */
/** @typedef {Complete<wire.RematchEnded>} RematchEnded */
/** @typedef {Complete<wire.RoomState>} RoomState */
/** @typedef {Complete<wire.Snapshot>} Snapshot */
/** @typedef {Complete<wire.BoardState>} BoardState */
/** @typedef {Complete<wire.MatchSettings>} MatchSettings */
/** @typedef {Complete<wire.MatchResult>} MatchResult */
/** @typedef {Complete<wire.PairTag>} PairTag */
/** @typedef {Complete<wire.PlayerInfo>} PlayerInfo */
/** @typedef {Complete<wire.PhraseSaid>} PhraseSaid */
/** @typedef {Complete<wire.Said>} Said */
/** @typedef {Complete<wire.Presence>} Presence */
/** @typedef {Complete<wire.Welcome>} Welcome */
/** @typedef {Complete<wire.Failed>} Failed */
/** @typedef {Complete<wire.Done>} Done */
/** @typedef {Complete<wire.Challenged>} Challenged */
/** @typedef {Complete<wire.OfferEnded>} OfferEnded */
/** @typedef {Complete<wire.OpenGame>} OpenGame */
/** @typedef {Complete<wire.YourTurn>} YourTurn */
/** @typedef {Complete<wire.LobbyState>} LobbyState */
/** @typedef {Complete<wire.LobbyChanged>} LobbyChanged */
/** @typedef {Complete<wire.LobbyRating>} LobbyRating */
/** @typedef {Complete<wire.LobbyRoom>} LobbyRoom */
/** @typedef {Complete<wire.LobbySeek>} LobbySeek */
/** @typedef {Complete<wire.LobbyTournament>} LobbyTournament */
/** @typedef {Complete<wire.TournamentState>} TournamentState */
/** @typedef {Complete<wire.ReviewState>} ReviewState */
/** @typedef {Complete<wire.ReviewReport>} ReviewReport */
/** @typedef {Complete<wire.EvaluationGiven>} EvaluationGiven */

/**
 * Why a message could not be read. `id` is the request that it answers, or null when that is not
 * readable either. `type` is empty if it is not readable. `sentence` is for people.
 * @typedef {{id: number | null, type: string, sentence: string}} Unreadable
 */

/**
 * Return the message of one websocket frame, or the reason why it is unreadable. Return null for a
 * type that this client does not know.
 * @param {unknown} frame
 * @returns {{message: ServerMessage} | {unreadable: Unreadable} | null}
 */
export function readMessage(frame) {
  /** @type {unknown} */
  let value;
  try {
    if (typeof frame === "string") value = JSON.parse(frame);
  } catch {
    // The answer below applies.
  }
  if (!isObject(value) || typeof value.type !== "string") {
    return unreadable(value, tr("The server sent something that is not a message."));
  }
  const name = MESSAGES.get(value.type);
  if (name === undefined) return null;
  if (Array.isArray(value.events)) value.events = value.events.filter(isNoUnknownEvent);
  const wrong = wrongField(value, name, "");
  if (wrong !== null) {
    return unreadable(value, tr("The server sent a {type} message with a wrong {field}.", { type: value.type, field: wrong }));
  }
  return { message: /** @type {ServerMessage} */ (/** @type {unknown} */ (value)) };
}

/**
 * Return false for an event of a type that this client does not know.
 * @param {unknown} event
 */
function isNoUnknownEvent(event) {
  return !isObject(event) || typeof event.type !== "string" || EVENTS.has(event.type);
}

/**
 * @param {unknown} value
 * @param {string} sentence
 * @returns {{unreadable: Unreadable}}
 */
function unreadable(value, sentence) {
  const id = isObject(value) ? value.id : null;
  const readable = typeof id === "number" && Number.isSafeInteger(id) && id >= 0;
  const type = isObject(value) && typeof value.type === "string" ? value.type : "";
  return { unreadable: { id: readable ? id : null, type, sentence } };
}
