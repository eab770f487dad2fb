// Describe tournaments in words, as the window and the reports do.

import { signed, timeLine } from "./room/words.js";

/** @typedef {import("../types/wire.js").TournamentTerms} TournamentTerms */
/** @typedef {import("../types/wire.js").EntrantState} EntrantState */
/**
 * @typedef {object} Contest what `tournament_state` and /api/tournaments/ID have in common
 * @property {TournamentTerms} terms
 * @property {string} owner
 * @property {string} status
 * @property {EntrantState[]} entrants
 * @property {number} games_played
 * @property {number | null} games_planned
 */

const ENDED = ["finished", "cancelled"];
const STATES = new Map([
  ["open", "open"],
  ["running", "running"],
  ["finished", "finished"],
  ["cancelled", "ended early"],
]);

/** @type {{key: import("../types/wire").TournamentTerms["format"], title: string, about: string}[]} */
export const FORMATS = [
  { key: "round-robin", title: "Round robin", about: "Everybody plays everybody." },
  { key: "swiss", title: "Swiss", about: "Rounds between players with about the same points." },
  { key: "knockout", title: "Knockout", about: "The loser is out." },
  { key: "gauntlet", title: "Gauntlet", about: "One player plays all others." },
  { key: "ladder", title: "Ladder", about: "Open-ended: free players of similar rating meet." },
];

/** @param {string} status */
export function hasEnded(status) {
  return ENDED.includes(status);
}

/** @param {string} status */
export function statusName(status) {
  return STATES.get(status) ?? status;
}

/** @param {string} key */
export function formatName(key) {
  return key === "swiss" ? "Swiss" : key.replaceAll("-", " ");
}

/**
 * Return `3 players`, `1 player`.
 *
 * @param {number} number
 * @param {string} what
 */
export function count(number, what) {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}

/**
 * Return points such as `3`, `2½` or `½`.
 *
 * @param {number} points
 */
export function pointsText(points) {
  const whole = Math.floor(points);
  if (points - whole !== 0.5) return String(points);
  return `${whole || ""}½`;
}

/**
 * Describe the rules of a tournament, and who may join it, in sentences.
 *
 * @param {Contest} contest
 */
export function termsText({ terms, owner }) {
  const pairs = count(terms.pairs ?? 1, "game pair");
  let how = `Every two play ${pairs}.`;
  if (terms.format === "gauntlet") {
    how = `${terms.hero || "Who joined first"} plays ${pairs} against each other player.`;
  } else if (terms.format === "swiss") {
    how = `${count(terms.rounds ?? 0, "round")} of ${pairs} between players of about the same points.`;
  } else if (terms.format === "knockout") {
    how = `The loser of ${pairs} is out.`;
  } else if (terms.format === "ladder") {
    const end = terms.rounds ? `${count(terms.rounds, "game pair")} in all` : "until it is ended";
    how = `Free players with similar ratings meet, ${end}.`;
  }
  const who = [terms.people ? "people and bots may join" : "for bots only"];
  if (terms.phrases === false) who.push("without quick phrases");
  if (terms.invited != null) who.push("by invitation");
  if (terms.late || terms.format === "ladder") who.push("also after the start");
  return (
    `${how} ${terms.settings.rated ? "Rated" : "Casual"}.` +
    ` Who loses ${count(terms.patience ?? 3, "game")} in a row by time or absence is set aside.` +
    ` Organised by ${owner}; ${who.join(", ")}.`
  );
}

/**
 * Describe the progress of a tournament in a few words.
 *
 * @param {Contest} contest
 */
export function progressLine({ status, owner, games_played, games_planned }) {
  const played = count(games_played, "game");
  if (status === "open") return `${owner} has not started it yet`;
  if (status === "finished") return `Over after ${played}`;
  if (status === "cancelled") return `Ended before its time, after ${played}`;
  if (games_planned == null) return `${played} played`;
  return `${games_played} of ${count(games_planned, "game")} played`;
}

/**
 * Return the share of a tournament that is played, from 0 to 1; null: not known.
 *
 * @param {Contest} contest
 */
export function progressShare({ status, games_played, games_planned }) {
  if (status === "finished") return 1;
  return games_planned ? Math.min(1, games_played / games_planned) : null;
}

/**
 * Return what a player is doing, or why the player gets no more games.
 *
 * @param {EntrantState} entrant
 * @param {string} status of the tournament
 */
export function entrantNow(entrant, status) {
  const { state, reason } = entrant;
  if (state === "aside") {
    // The server's reason may say "set aside" itself.
    return reason && !reason.startsWith("set aside") ? `set aside: ${reason}` : reason || "set aside";
  }
  if (state === "left") return "left";
  if (entrant.playing) return entrant.playing > 1 ? `playing ${entrant.playing}` : "playing";
  return entrant.online || hasEnded(status) ? "" : "away";
}

/**
 * Return the table of a tournament, best place first.
 *
 * @param {Contest} contest
 */
export function tableOf(contest) {
  const begun = contest.status !== "open";
  return contest.entrants.map((each) => ({
    player: each.player,
    engine: each.engine,
    place: begun ? `${each.place}` : "",
    now: entrantNow(each, contest.status),
    state: each.state,
    games: each.games,
    points: pointsText(each.points),
    net: signed(each.net),
  }));
}

/**
 * Return the line below the title: game, format, clock.
 *
 * @param {TournamentTerms} terms
 * @param {string} title of the game
 */
export function aboutLine(terms, title) {
  const time = timeLine(/** @type {import("../types/wire.js").TimeControl} */ (terms.settings.time ?? {}));
  return [title, formatName(terms.format), time].filter(Boolean).join(" · ");
}

/**
 * Say what becomes of a player who leaves; empty if nothing needs a warning.
 *
 * @param {Contest} contest
 */
export function leaveWarning({ status, terms }) {
  if (status !== "running" || terms.format !== "knockout") return "";
  return "Who leaves a knockout cannot come back.";
}
