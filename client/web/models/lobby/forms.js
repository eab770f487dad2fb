// Interpret the texts of the forms for a match, and describe what is wrong with them.

import { tr } from "../../texts.js";
import { CUSTOM, DAYS, USUAL, USUAL_DAYS, daysOf, readTime, timeOfDays, timeText, usualTime } from "./time.js";

/**
 * @import { Catalogue, CatalogueGame } from "../../types/api"
 * @import { MatchSettings, TimeControl } from "../../types/wire"
 */
/**
 * Who moves first: this player, the opponent, or a random one of the two.
 * @typedef {"me" | "other" | "chance"} Start
 */
/**
 * The fields of a form. `sizes` has texts by game and parameter, so that switching to another game
 * and back keeps them. `time` is the text of a usual time control, `days`, which uses the field of this
 * name, or `custom`, which uses the three fields after it.
 * @typedef {{game: string, sizes: Record<string, Record<string, string>>, time: string,
 *   days: string, minutes: string, added: string, move: string, start: Start, private: boolean,
 *   rated: boolean, evaluation: boolean}} Fields
 */
/** @typedef {Record<string, string>} Problems  a sentence for each field that is wrong */

const WHOLE = /^\d{1,5}$/;
/** @type {{base_ms: number | null, increment_ms: number, move_ms: number | null}} */
const NO_TIME = { base_ms: null, increment_ms: 0, move_ms: null };
const STARTS = ["me", "other", "chance"];

/**
 * Return the fields with the values that were kept; unknown values are replaced by defaults.
 * @param {unknown} kept
 * @param {Catalogue} catalogue
 * @returns {Fields}
 */
export function fieldsFrom(kept, catalogue) {
  const saved = /** @type {Record<string, unknown>} */ (
    typeof kept === "object" && kept !== null ? kept : {}
  );
  const text = (/** @type {string} */ name, /** @type {string} */ usual) => {
    const found = saved[name];
    return typeof found === "string" ? found : usual;
  };
  const game = catalogue.games.find((each) => each.key === saved["game"]) ?? catalogue.games[0];
  const time = text("time", USUAL);
  const start = text("start", "chance");
  return {
    game: game?.key ?? "",
    sizes: sizesFrom(saved["sizes"], catalogue),
    time: [CUSTOM, DAYS].includes(time) || usualTime(time) ? time : USUAL,
    days: text("days", USUAL_DAYS),
    minutes: text("minutes", "5"),
    added: text("added", "3"),
    move: text("move", ""),
    start: /** @type {Start} */ (STARTS.includes(start) ? start : "chance"),
    private: saved["private"] === true,
    rated: saved["rated"] === true,
    evaluation: saved["evaluation"] === true,
  };
}

/**
 * Return the chosen game.
 * @param {Fields} fields
 * @param {Catalogue} catalogue
 * @returns {CatalogueGame | undefined}
 */
export function chosenGame(fields, catalogue) {
  return catalogue.games.find((each) => each.key === fields.game);
}

/**
 * Return the text of a parameter's field.
 * @param {Fields} fields
 * @param {{name: string, default: number}} parameter
 */
export function sizeText(fields, parameter) {
  return fields.sizes[fields.game]?.[parameter.name] ?? String(parameter.default);
}

/**
 * Return the fields with another text for a parameter of the chosen game.
 * @param {Fields} fields
 * @param {string} name
 * @param {string} text
 * @returns {Fields}
 */
export function withSize(fields, name, text) {
  const sizes = { ...fields.sizes[fields.game], [name]: text };
  return { ...fields, sizes: { ...fields.sizes, [fields.game]: sizes } };
}

/**
 * Return the settings of the match, or the problems of the fields.
 * @param {Fields} fields
 * @param {Catalogue} catalogue
 * @returns {{settings: MatchSettings} | {problems: Problems}}
 */
export function readSettings(fields, catalogue) {
  /** @type {Problems} */
  const problems = {};
  /** @type {Record<string, number>} */
  const params = {};
  for (const parameter of chosenGame(fields, catalogue)?.parameters ?? []) {
    const text = sizeText(fields, parameter).trim();
    const { name, label, low, high } = parameter;
    const value = WHOLE.test(text) ? Number(text) : NaN;
    if (value >= low && value <= high) params[name] = value;
    else problems[`size_${name}`] = tr("{label}: a whole number from {low} to {high}.", { label: tr(label), low, high });
  }
  const time = chosenTime(fields);
  if ("problems" in time) Object.assign(problems, time.problems);
  if ("problems" in time || Object.keys(problems).length > 0) return { problems };
  return {
    settings: {
      ...{ game: fields.game, params, opening: [], start: [], time: time.time },
      ...{ rated: fields.rated, evaluation: fields.evaluation },
    },
  };
}

/**
 * Return the fields of a form for a match with these settings.
 * @param {MatchSettings} settings
 * @returns {Partial<Fields>}
 */
export function fieldsOf({ game, params = {}, time = NO_TIME, rated = false, evaluation = false }) {
  const { base_ms: base, increment_ms: added, move_ms: move } = { ...NO_TIME, ...time };
  const usual = timeText(time);
  const days = daysOf(time);
  const size = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  return {
    game,
    rated,
    evaluation,
    sizes: { [game]: size },
    time: usualTime(usual) ? usual : days ? DAYS : CUSTOM,
    ...(days && { days }),
    minutes: base == null ? "" : String(base / 60_000),
    added: String(added / 1000),
    move: move == null ? "" : String(move / 1000),
  };
}

/**
 * Return this player's seat, or null for a random one.
 * @param {Fields} fields
 */
export function seatOf(fields) {
  return { me: 0, other: 1, chance: null }[fields.start];
}

/**
 * @param {Fields} fields
 * @returns {{time: TimeControl} | {problems: Problems}}
 */
function chosenTime(fields) {
  if (fields.time === DAYS) return { time: timeOfDays(fields.days) };
  const usual = fields.time === CUSTOM ? undefined : usualTime(fields.time);
  return usual ? { time: usual } : readTime(fields);
}

/**
 * @param {unknown} kept
 * @param {Catalogue} catalogue
 */
function sizesFrom(kept, catalogue) {
  const saved = /** @type {Record<string, Record<string, unknown>>} */ (
    typeof kept === "object" && kept !== null ? kept : {}
  );
  /** @type {Fields["sizes"]} */
  const sizes = {};
  for (const game of catalogue.games) {
    for (const { name } of game.parameters) {
      const text = saved[game.key]?.[name];
      if (typeof text === "string") sizes[game.key] = { ...sizes[game.key], [name]: text };
    }
  }
  return sizes;
}
