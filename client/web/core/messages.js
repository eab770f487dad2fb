// Read the server's messages, and refuse those that do not have the expected form.

/**
 * @import { ClientMessage, ServerMessage } from "../types/wire"
 */

/**
 * A request with its id, as it is sent.
 * @typedef {ClientMessage} SentRequest
 */

/**
 * @template T
 * @typedef {T extends unknown ? Omit<T, "id"> : never} WithoutId
 */

/**
 * A request that has no id yet.
 * @typedef {WithoutId<ClientMessage>} Unsent
 */

/**
 * Why a message could not be read. `id` is the request that it answers, or null when that is not
 * readable either.
 * @typedef {{id: number | null, sentence: string}} Unreadable
 */

/**
 * Return the message of one frame: a message, the reason why it is unreadable, or null for a type
 * that this client does not know.
 * @param {unknown} data
 * @returns {{message: ServerMessage} | {unreadable: Unreadable} | null}
 */
export function readFrame(data) {
  try {
    return { message: JSON.parse(String(data)) };
  } catch {
    return { unreadable: { id: null, sentence: "This text is not a JSON message." } };
  }
}
