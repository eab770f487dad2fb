// Read what a person typed to reach a room: its name and code, or the whole link.

import { decoded } from "../addresses.js";
import { tr } from "../../texts.js";

const ROOM = /^[A-Za-z0-9_-]{1,40}$/;
const LONGEST_CODE = 64;

/** @typedef {{room: string, code: string}} Invitation */

/**
 * Return room and code, even if a link or both words were pasted into the first field.
 * @param {string} room
 * @param {string} code
 * @returns {Invitation}
 */
export function readInvitation(room, code) {
  const text = room.trim();
  const link = /\/room\/([^/?#\s]+)(?:#(\S*))?$/.exec(text);
  if (link) return { room: decoded(link[1] ?? ""), code: decoded(link[2] ?? "") || code.trim() };
  const words = text.split(/[\s#]+/);
  if (words.length === 2 && code.trim() === "") return { room: words[0] ?? "", code: words[1] ?? "" };
  return { room: text, code: code.trim() };
}

/**
 * Return what is wrong with an invitation, by field.
 * @param {Invitation} invitation
 * @returns {Partial<Invitation>}
 */
export function invitationProblems({ room, code }) {
  /** @type {Partial<Invitation>} */
  const problems = {};
  if (room === "") problems.room = tr("Enter the name of the room.");
  else if (!ROOM.test(room)) {
    problems.room = tr("The name of a room has letters, digits, - and _, at most 40 of them.");
  }
  if (code.length > LONGEST_CODE || /[\x00-\x1f\x7f]/.test(code)) {
    problems.code = tr("A code has {count} characters at most.", { count: LONGEST_CODE });
  }
  return problems;
}
