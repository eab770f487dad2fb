// Words for accounts: devices, scopes of tokens, and passwords that do not fit.

import { dateText } from "./time.js";
import { tr } from "../texts.js";

/** @typedef {import("../types/api.js").TokenAnswer} TokenAnswer */
/** @typedef {TokenAnswer["scopes"][number]} Scope */

/** How long the tokens of programs last, in days. */
export const DAYS = [1, 7, 30, 90, 366];

/** What the label of a login says, by a word in the browser's description of itself. */
const BROWSERS = { Edg: "Edge", OPR: "Opera", Firefox: "Firefox", Chrome: "Chrome", Safari: "Safari" };
const SYSTEMS = { Android: "Android", iPhone: "iPhone", iPad: "iPad", Windows: "Windows", Mac: "Mac", Linux: "Linux" };

/**
 * Return a label for a login in this browser, such as `Firefox, Linux`.
 * @param {string} userAgent
 */
export function deviceLabel(userAgent) {
  const found = [BROWSERS, SYSTEMS].map((names) => Object.entries(names).find(([word]) => userAgent.includes(word))?.[1]);
  return found.filter(Boolean).join(", ") || "browser";
}

/**
 * Return what is wrong with a new password that was typed twice; empty if nothing is. The server
 * decides whether it is good enough.
 * @param {string} password
 * @param {string} again
 * @returns {{password: string, again: string}}
 */
export function passwordProblems(password, again) {
  if (!password) return { password: tr("Type a password."), again: "" };
  if (!again) return { password: "", again: tr("Type the password once more.") };
  return { password: "", again: password === again ? "" : tr("The two passwords differ. Type the same one twice.") };
}

/**
 * Return what a scope allows.
 * @param {Scope} scope
 */
export function scopeTitle(scope) {
  return {
    play: tr("Play"),
    bot: tr("Play as a bot"),
    organise: tr("Organise tournaments"),
    admin: tr("Manage the server"),
  }[scope];
}

/**
 * Return the scopes that a new token may have.
 * @param {boolean} bot - whether it is for a bot
 * @param {boolean} admin - whether the person manages the server
 * @returns {Scope[]}
 */
export function scopesOf(bot, admin) {
  if (bot) return ["bot", "organise"];
  return admin ? ["play", "organise", "admin"] : ["play", "organise"];
}

/**
 * Return what is known of a token, in one line.
 * @param {TokenAnswer} token
 */
export function tokenLine(token) {
  const facts = token.kind === "session" ? [] : [token.scopes.map(scopeTitle).join(", ")];
  facts.push(tr("made {when}", { when: dateText(token.created_ms) }), tr("last used {when}", { when: dateText(token.used_ms) }));
  if (token.expires_ms !== null) facts.push(tr("ends {when}", { when: dateText(token.expires_ms) }));
  return facts.join(" · ");
}

/**
 * Return the path to which a login leads back: what stands behind # in the address of the login.
 * @param {string} hash
 * @returns {string} empty if there is none
 */
export function wayBack(hash) {
  return /^#\/(?![/\\])/.test(hash) ? hash.slice(1) : "";
}
