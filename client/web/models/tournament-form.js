// Interpret the fields of the form for a new tournament, and say what is wrong with them.

import { language, tr } from "../texts.js";
import { nameProblem } from "./lobby/names.js";
import { DAYS, timeOfDays, USUAL_DAYS } from "./lobby/time.js";
import { parseTime } from "./time.js";

/** @typedef {import("../types/api.js").CatalogueGame} CatalogueGame */
/** @typedef {import("../types/wire.js").TournamentTerms} TournamentTerms */
/**
 * @typedef {object} TournamentFields texts and marks of the form
 * @property {string} name
 * @property {TournamentTerms["format"]} format
 * @property {string} game
 * @property {Record<string, Record<string, string>>} sizes by game and parameter
 * @property {string} time one of `CLOCKS`, `days` or `custom`
 * @property {string} days how many for each move
 * @property {string} clock the text of a custom clock
 * @property {string} pairs
 * @property {string} rounds
 * @property {string} starts a local time as the browser writes it, or empty
 * @property {string} roundMinutes
 * @property {string} minutes how long an arena lasts
 * @property {string} bots names with commas between them
 * @property {string} fill up to how many players the bots fill in
 * @property {string} tieBreaks keys with commas between them
 * @property {string} hero
 * @property {string} invited names with commas between them
 * @property {boolean} people
 * @property {boolean} phrases
 * @property {boolean} late
 * @property {boolean} rated
 * @property {string} patience
 * @property {string} atOnce
 * @property {string} seed
 */

export const CLOCKS = ["10+0.1", "60+1", "180+2", "300+3", "0/10", "unlimited"];
export const CUSTOM = "custom";

const LABEL = /^[^\x00-\x1f\x7f]{1,64}$/;
const MOST_INVITED = 1000;

/**
 * Return the fields of a new form.
 *
 * @param {CatalogueGame[]} games
 * @returns {TournamentFields}
 */
export function newFields(games) {
  return {
    name: "",
    format: "round-robin",
    game: games[0]?.key ?? "",
    sizes: {},
    time: "60+1",
    days: USUAL_DAYS,
    clock: "60+1",
    pairs: "1",
    rounds: "5",
    starts: "",
    roundMinutes: "",
    minutes: "30",
    bots: "",
    fill: "4",
    tieBreaks: "net",
    hero: "",
    invited: "",
    people: true,
    phrases: true,
    late: false,
    rated: true,
    patience: "3",
    atOnce: "",
    seed: "",
  };
}

/**
 * Return whether a field of this name belongs to the format.
 *
 * @param {string} format
 * @param {"pairs" | "rounds" | "hero" | "late" | "roundMinutes" | "minutes" | "days"} field
 */
export function hasField(format, field) {
  if (field === "minutes") return format === "arena";
  if (field === "pairs") return format !== "ladder" && format !== "arena";
  if (field === "rounds") return format === "swiss" || format === "ladder";
  if (field === "roundMinutes") return format === "swiss" || format === "knockout";
  if (field === "hero") return format === "gauntlet";
  if (field === "days") return format !== "ladder" && format !== "arena";
  return !["ladder", "knockout", "arena"].includes(format);
}

/**
 * Return the tie-breaks among which the organiser of a format chooses; none: there is no choice.
 *
 * @param {string} format
 */
export function tieBreakChoices(format) {
  const net = { value: "net", title: tr("Net score") };
  const berger = { value: "sonneborn-berger,net", title: tr("Sonneborn-Berger, then net score") };
  const none = { value: "", title: tr("None: equal players share a place") };
  if (format === "round-robin") return [net, berger, none];
  if (format !== "swiss") return [];
  return [
    net,
    { value: "buchholz,net", title: tr("Buchholz, then net score") },
    { value: "buchholz,sonneborn-berger,net", title: tr("Buchholz, Sonneborn-Berger, then net score") },
    berger,
    none,
  ];
}

/**
 * Return the terms that the fields stand for, or a sentence for each field that is wrong, by name.
 * The name of a field for a parameter of the game is `size_NAME`.
 *
 * @param {TournamentFields} fields
 * @param {CatalogueGame[]} games
 * @returns {{terms: TournamentTerms, problems: null} | {terms: null, problems: Record<string, string>}}
 */
export function readFields(fields, games) {
  /** @type {Record<string, string>} */
  const problems = {};
  const whole = (
    /** @type {string} */ key,
    /** @type {string} */ text,
    /** @type {number} */ low,
    /** @type {number} */ high,
  ) => {
    const plain = text.trim();
    const value = /^\d{1,16}$/.test(plain) ? Number(plain) : NaN;
    if (!(value >= low && value <= high)) {
      problems[key] = tr("Write a whole number from {low} to {high}.", { low, high: high.toLocaleString(language) });
    }
    return value;
  };
  const optional = (
    /** @type {string} */ key,
    /** @type {string} */ text,
    /** @type {number} */ low,
    /** @type {number} */ high,
  ) => (text.trim() === "" ? null : whole(key, text, low, high));

  const { format } = fields;
  const name = fields.name.trim();
  if (!LABEL.test(name)) problems.name = tr("Write a name of 1 to 64 characters.");
  const game = games.find((each) => each.key === fields.game);
  /** @type {Record<string, number>} */
  const params = {};
  for (const each of game?.parameters ?? []) {
    const text = fields.sizes[fields.game]?.[each.name] ?? String(each.default);
    params[each.name] = whole(`size_${each.name}`, text, each.low, each.high);
  }
  if (game === undefined) problems.game = tr("Choose a game.");
  const days = fields.time === DAYS ? timeOfDays(fields.days) : null;
  const time = days ?? parseTime(fields.time === CUSTOM ? fields.clock : fields.time);
  if (typeof time === "string") problems.clock = time;
  const pairs = hasField(format, "pairs") ? whole("pairs", fields.pairs, 1, 10_000) : 1;
  let rounds = null;
  if (format === "swiss") rounds = whole("rounds", fields.rounds, 1, 1000);
  if (format === "ladder") rounds = optional("rounds", fields.rounds, 1, 1_000_000);
  const minutes = hasField(format, "roundMinutes") ? optional("roundMinutes", fields.roundMinutes, 1, 129_600) : null;
  const length = hasField(format, "minutes") ? whole("minutes", fields.minutes, 1, 720) : null;
  const bots = namesIn(fields.bots) ?? [];
  if (!bots.every(isName)) problems.bots = NOT_A_NAME;
  const fill = bots.length ? whole("fill", fields.fill, 2, 200) : null;
  const starts = fields.starts === "" ? null : new Date(fields.starts).getTime();
  if (starts !== null && !(starts > Date.now())) problems.starts = tr("Choose a moment to come.");
  const breaks = tieBreakChoices(format).some(({ value }) => value === fields.tieBreaks) ? fields.tieBreaks : "net";
  const hero = format === "gauntlet" && fields.hero.trim() ? fields.hero.trim() : null;
  if (hero !== null && !isName(hero)) problems.hero = NOT_A_NAME;
  const invited = namesIn(fields.invited);
  if (invited !== null && !invited.every(isName)) problems.invited = NOT_A_NAME;
  else if (invited !== null) problems.invited = invitationProblem(invited, hero);
  if (!problems.invited) delete problems.invited;
  const patience = whole("patience", fields.patience, 1, 1000);
  const atOnce = optional("atOnce", fields.atOnce, 1, 10_000);
  const seed = optional("seed", fields.seed, 0, Number.MAX_SAFE_INTEGER);
  if (Object.keys(problems).length || typeof time === "string") return { terms: null, problems };
  /** @type {TournamentTerms} */
  const terms = {
    name,
    format,
    settings: { game: fields.game, params, opening: [], start: [], time, rated: fields.rated, evaluation: false },
    pairs,
    rounds,
    patience,
    games_at_once: atOnce,
    late: hasField(format, "late") && fields.late,
    people: fields.people,
    phrases: fields.phrases,
    invited,
    hero,
    anchors: [],
    tie_breaks: /** @type {TournamentTerms["tie_breaks"]} */ (breaks === "" ? [] : breaks.split(",")),
    starts_ms: starts,
    round_ms: minutes === null ? null : minutes * 60_000,
    length_ms: length === null ? null : length * 60_000,
    bots,
    fill,
    seed,
  };
  return { terms, problems: null };
}

const NOT_A_NAME = tr("A player's name has up to 32 letters, digits and . _ ' + - with single spaces inside.");

/**
 * Return what is wrong with the list of the invited players; empty: nothing.
 *
 * @param {string[]} invited
 * @param {string | null} hero
 */
function invitationProblem(invited, hero) {
  const known = new Set(invited.map((each) => each.toLowerCase()));
  if (invited.length > MOST_INVITED) return tr("At most {most} players can be invited.", { most: MOST_INVITED });
  if (known.size < invited.length) return tr("A player is invited twice; list each name once.");
  if (known.size < 2) return tr("Invite at least two players, or leave the list empty.");
  if (hero !== null && !known.has(hero.toLowerCase())) {
    return tr("{name}, who plays all others, is not invited.", { name: hero });
  }
  return "";
}

/** @param {string} text */
function isName(text) {
  return nameProblem(text) === "";
}

/**
 * @param {string} text
 * @returns {string[] | null}
 */
function namesIn(text) {
  const names = text.split(/[,\n]/).map((each) => each.trim()).filter(Boolean);
  return names.length ? names : null;
}
