// Read time controls, and write dates for people.

import { language, tr } from "../texts.js";
import { timeLine } from "./room/words.js";

/** @typedef {import("../types/wire.js").TimeControl} TimeControl */

const HOUR_MS = 3_600_000;
const DAYS = /^(\d{1,2})d$/;
const TIME = /^(\d{1,6}(?:\.\d{1,3})?)(?:\+(\d{1,4}(?:\.\d{1,3})?))?(?:\/(\d{1,7}(?:\.\d{1,3})?))?$/;

/**
 * Return the time control that a text such as `60+1`, `60+1/10`, `0/10` or `unlimited` describes,
 * or a sentence for people that says what is wrong with it.
 *
 * @param {string} text
 * @returns {TimeControl | string}
 */
export function parseTime(text) {
  const plain = text.trim().toLowerCase();
  if (plain === "unlimited") return { base_ms: null, increment_ms: 0, move_ms: null };
  const days = DAYS.exec(plain);
  const found = TIME.exec(days ? `0/${Number(days[1]) * 86_400}` : plain);
  if (found === null) {
    return tr("Write the clock in seconds, such as 60+1, 60+1/10 or 0/10, or days a move such as 3d, or write unlimited.");
  }
  const [base, increment, move] = found
    .slice(1)
    .map((part) => (part === undefined ? null : Math.round(Number(part) * 1000)));
  if (!base && move == null) {
    return tr("This clock leaves no time at all; write unlimited for no limit.");
  }
  const fits =
    (!base || (base >= 100 && base <= 240 * HOUR_MS)) &&
    (increment ?? 0) <= HOUR_MS &&
    (!increment || Boolean(base)) &&
    (move == null || (move >= 50 && move <= 14 * 24 * HOUR_MS));
  if (!fits) {
    return tr("A clock has 0.1 s to 240 h, at most an hour more for each move, and 0.05 s to 14 days for a move.");
  }
  return { base_ms: base || null, increment_ms: increment ?? 0, move_ms: move ?? null };
}

/**
 * Return the time control of a record for people; a text that is none stays unchanged.
 *
 * @param {string} text
 */
export function timeText(text) {
  const time = text ? parseTime(text) : "";
  return typeof time === "string" ? text : timeLine(time);
}

/** @typedef {{locale?: string, zone?: string}} Where by default the visitor's form of the language, and zone */

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * @param {Where} where
 * @param {"short" | undefined} timeStyle undefined: the date alone
 */
function formatOf({ locale, zone }, timeStyle) {
  locale ??= navigator.languages.find((each) => each.startsWith(language)) ?? language;
  const key = `${locale} ${zone} ${timeStyle}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle, timeZone: zone });
    formats.set(key, format);
  }
  return format;
}

/**
 * Return a date and time in the language of the page and the visitor's time zone.
 *
 * @param {number} ms since 1970
 * @param {Where} [where]
 */
export function dateText(ms, where = {}) {
  return formatOf(where, "short").format(ms);
}

/**
 * Return a day such as 2026-11-23 in the language of the page.
 *
 * @param {string} day
 * @param {string} [locale]
 */
export function dayText(day, locale) {
  return formatOf({ locale, zone: "UTC" }, undefined).format(Date.parse(day));
}

/**
 * Return how long it is until something, such as `in 5 minutes`.
 *
 * @param {number} ms
 * @param {string} [locale]
 */
export function untilText(ms, locale = language) {
  const seconds = Math.max(1, Math.round(ms / 1000));
  /** @type {[number, Intl.RelativeTimeFormatUnit][]} */
  const units = [[86_400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  const [each, unit] = units.find(([length]) => seconds >= 2 * length || length === 1) ?? [1, "second"];
  return new Intl.RelativeTimeFormat(locale).format(Math.round(seconds / each), unit);
}
