// Time controls: their text, the usual ones, and the fields of a form for another one.

import { timeLine } from "../room/words.js";
import { plural, tr } from "../../texts.js";

/** @import { TimeControl } from "../../types/wire" */

const HOUR_MS = 3_600_000;
const LONGEST_MS = 240 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;
const DECIMAL = /^\d{1,6}(?:[.,]\d{1,4})?$/;

/** The value of the time field for a match without a clock. */
export const NO_CLOCK = timeText(time(null, 0));
/** The value of the time field that stands for the three fields below it. */
export const CUSTOM = "custom";
/** The value that stands for the list of days. */
export const DAYS = "days";
const DAYS_OFFERED = ["1", "2", "3", "5", "7", "14"];
export const USUAL_DAYS = "3";

/** @type {readonly TimeControl[]} The time controls in the form's list. */
export const TIMES = [
  time(180_000, 2_000),
  time(300_000, 3_000),
  time(600_000, 5_000),
  time(null, 0, 15_000),
  time(null, 0),
];

export const USUAL = timeText(time(300_000, 3_000));

/** @returns {{value: string, title: string}[]} the entries of the form's list */
export function timeOptions() {
  const titled = TIMES.map((each) => {
    const value = timeText(each);
    return { value, title: value === NO_CLOCK ? tr("No clock") : timeLine(each) };
  });
  return [...titled, { value: DAYS, title: tr("Days a move") }, { value: CUSTOM, title: tr("Other ...") }];
}

/** @returns {{value: string, title: string}[]} the entries of the list of days */
export function daysOptions() {
  return DAYS_OFFERED.map((value) => ({ value, title: plural("1 day", "{n} days", Number(value)) }));
}

/**
 * Return the time control with these days for each move.
 * @param {string} days
 */
export function timeOfDays(days) {
  return time(null, 0, Number(DAYS_OFFERED.includes(days) ? days : USUAL_DAYS) * DAY_MS);
}

/**
 * Return the days of the list that a time control gives for each move; undefined for another one.
 * @param {TimeControl} control
 */
export function daysOf(control) {
  return DAYS_OFFERED.find((days) => timeText(timeOfDays(days)) === timeText(control));
}

/**
 * Return the time control of the list with this text, if there is one.
 * @param {string} text
 */
export function usualTime(text) {
  return TIMES.find((each) => timeText(each) === text);
}

/**
 * Return the time control in seconds, as people and records write it: `60+1/10`, `unlimited`.
 * @param {TimeControl} control
 */
export function timeText(control) {
  const { base_ms: base = null, increment_ms: added = 0, move_ms: move = null } = control;
  if (base === null && move === null) return "unlimited";
  const clock = base === null ? "0" : `${base / 1000}+${added / 1000}`;
  return move === null ? clock : `${clock}/${move / 1000}`;
}

/**
 * The three fields: minutes on each clock, seconds added for a move, most seconds for a move.
 * @typedef {{minutes: string, added: string, move: string}} TimeFields
 */

/**
 * Return the time control that the fields describe, or a sentence for each field that is wrong.
 * @param {TimeFields} fields
 * @returns {{time: TimeControl} | {problems: Record<string, string>}}
 */
export function readTime(fields) {
  /** @type {Record<string, string>} */
  const problems = {};
  const read = (
    /** @type {keyof TimeFields} */ name,
    /** @type {number} */ unit,
    /** @type {number} */ low,
    /** @type {number} */ high,
    /** @type {string} */ sentence,
  ) => {
    const text = fields[name].trim();
    if (text === "") return null;
    const ms = DECIMAL.test(text) ? Math.round(Number(text.replace(",", ".")) * unit) : NaN;
    if (ms >= low && ms <= high) return ms;
    problems[name] = sentence;
    return null;
  };
  const minutes = tr("Minutes on each clock: a number above 0, at most 14400.");
  const base = read("minutes", 60_000, 100, LONGEST_MS, minutes);
  const seconds = tr("Seconds added for each move: a number from 0 to 3600.");
  const added = read("added", 1000, 0, HOUR_MS, seconds);
  const limit = tr("Seconds for a move at most: a number from 0.05 to 864000.");
  const move = read("move", 1000, 50, LONGEST_MS, limit);
  if (Object.keys(problems).length === 0 && base === null) {
    if (added) problems["added"] = tr("Only a clock can gain seconds: enter its minutes too.");
    else if (move === null) {
      problems["minutes"] = tr("Enter minutes, or seconds for a move, or choose no clock above.");
    }
  }
  if (Object.keys(problems).length > 0) return { problems };
  return { time: time(base, added ?? 0, move) };
}

/**
 * @param {number | null} base
 * @param {number} added
 * @param {number | null} [move]
 * @returns {TimeControl}
 */
function time(base, added, move = null) {
  return { base_ms: base, increment_ms: added, move_ms: move };
}
