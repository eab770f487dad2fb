// Describe tournaments in words, as the window and the reports do.

import { language, plural, tr } from "../texts.js";
import { NO_FIRST_MOVE } from "./pausing.js";
import { byDays, signed, timeLine } from "./room/words.js";
import { dateText } from "./time.js";
import { knownTitle } from "./title.js";

/** @import { EntrantState, TournamentTerms } from "../types/wire.js" */
/**
 * @typedef {object} Contest what `tournament_state` and /api/tournaments/ID have in common
 * @property {TournamentTerms} terms
 * @property {string} owner
 * @property {string} status
 * @property {EntrantState[]} entrants
 * @property {number} games_played
 * @property {number | null} games_planned
 * @property {number | null} [next_ms]
 */

const ENDED = ["finished", "cancelled"];
const STATES = new Map([
  ["open", tr("open")],
  ["running", tr("running")],
  ["finished", tr("finished")],
  ["cancelled", tr("ended early")],
]);

/** Names of persons, the same in all languages. The net score has a column anyway. */
const BREAKS = new Map([
  ["buchholz", "Buchholz"],
  ["sonneborn-berger", "Sonneborn-Berger"],
]);

/** @type {{key: import("../types/wire").TournamentTerms["format"], name: string, title: string, about: string}[]} */
export const FORMATS = [
  { key: "round-robin", name: tr("round robin"), title: tr("Round robin"), about: tr("Everybody plays everybody.") },
  {
    key: "swiss",
    name: tr("Swiss"),
    title: tr("Swiss"),
    about: tr("Rounds between players with about the same points."),
  },
  { key: "knockout", name: tr("knockout"), title: tr("Knockout"), about: tr("The loser is out.") },
  { key: "gauntlet", name: tr("gauntlet"), title: tr("Gauntlet"), about: tr("One player plays all others.") },
  {
    key: "ladder",
    name: tr("ladder"),
    title: tr("Ladder"),
    about: tr("Open-ended: free players of similar rating meet."),
  },
  { key: "arena", name: tr("arena"), title: tr("Arena"), about: tr("For a set time, one game after another.") },
];

/**
 * Return whether players may join after the start.
 *
 * @param {TournamentTerms} terms
 */
export function isAlwaysOpen(terms) {
  return Boolean(terms.late) || terms.format === "ladder" || terms.format === "arena";
}

/**
 * Return whether the games are by correspondence, so that nobody has to be there.
 *
 * @param {TournamentTerms} terms
 */
export function isByDays({ settings: { time } }) {
  return time !== undefined && byDays(time);
}

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
  return FORMATS.find((each) => each.key === key)?.name ?? key.replaceAll("-", " ");
}

/**
 * Return the value of `{n}` for `plural` with its thousands grouped.
 *
 * @param {number} number
 */
export function grouped(number) {
  return { n: number.toLocaleString(language) };
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
  const each = terms.pairs ?? 1;
  const games = tr("{n} games with swapped seats", grouped(2 * each));
  let how = tr("Every two play {games}.", { games });
  if (terms.format === "gauntlet") {
    how = terms.hero
      ? tr("{name} plays {games} against each other player.", { name: terms.hero, games })
      : tr("Who joined first plays {games} against each other player.", { games });
  } else if (terms.format === "swiss") {
    const number = terms.rounds ?? 0;
    const rounds = plural("1 round", "{n} rounds", number, grouped(number));
    how = tr("{rounds} of {games} between players of about the same points.", { rounds, games });
  } else if (terms.format === "knockout") {
    how = tr("The loser of {games} is out.", { games });
  } else if (terms.format === "ladder") {
    how = terms.rounds
      ? tr("Free players with similar ratings meet for two games with swapped seats, {n} games in all.", grouped(2 * terms.rounds))
      : tr("Free players with similar ratings meet, until it is ended.");
  }
  if (terms.format === "arena") {
    const minutes = Math.round((terms.length_ms ?? 0) / 60_000);
    const time = plural("1 minute", "{n} minutes", minutes, grouped(minutes));
    how = tr("For {time}, whoever is free meets somebody of about the same points. A win counts 2, a draw 1, and double after two wins in a row.", { time });
  }
  const who = [terms.people ? tr("people and bots may join") : tr("for bots only")];
  if (terms.phrases === false) who.push(tr("without quick phrases"));
  if (terms.invited != null) who.push(tr("by invitation"));
  if (isAlwaysOpen(terms)) who.push(tr("also after the start"));
  const patience = terms.patience ?? 3;
  return [
    how,
    terms.settings.rated ? tr("Rated.") : tr("Casual."),
    terms.format === "arena" ? tr("Who makes no first move in time pauses.") : plural(
      "Who loses 1 game in a row by time or absence is excluded.",
      "Who loses {n} games in a row by time or absence is excluded.",
      patience,
      grouped(patience),
    ),
    terms.fill == null ? "" : tr("Bots fill in up to {n} players: {bots}.", { n: terms.fill, bots: (terms.bots ?? []).join(", ") }),
    tr("Organised by {owner}; {who}.", { owner, who: who.join(", ") }),
  ].filter(Boolean).join(" ");
}

/**
 * Describe the progress of a tournament in a few words.
 *
 * @param {Contest} contest
 */
export function progressLine({ status, owner, games_played, games_planned, next_ms }) {
  const n = games_played;
  const played = grouped(n);
  if (status === "open") {
    return next_ms == null ? tr("{owner} has not started it yet", { owner }) : tr("Starts {when}", { when: dateText(next_ms) });
  }
  if (status === "finished") return plural("Over after 1 game", "Over after {n} games", n, played);
  if (status === "cancelled") {
    return plural("Ended before its time, after 1 game", "Ended before its time, after {n} games", n, played);
  }
  const line =
    games_planned == null
      ? plural("1 game played", "{n} games played", n, played)
      : tr("{played} of {planned} games played", { played: n, planned: grouped(games_planned).n });
  return next_ms == null ? line : `${line}. ${tr("The next round begins {when}.", { when: dateText(next_ms) })}`;
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
    // The server's own reason says no more than that.
    return reason && !reason.startsWith("excluded") ? tr("excluded: {reason}", { reason }) : tr("excluded");
  }
  if (state === "left") return reason === NO_FIRST_MOVE ? tr("pauses") : tr("left");
  if (entrant.playing) {
    return entrant.playing > 1 ? tr("playing {n}", { n: entrant.playing }) : tr("playing");
  }
  if (entrant.busy && status === "running") return tr("plays elsewhere");
  if (entrant.online || hasEnded(status)) return "";
  const late = entrant.loses_in_ms;
  return late == null ? tr("away") : tr("away, loses a game in {n} s", { n: Math.floor(late / 1000) });
}

/**
 * Return a rating in a ladder with its interval of 95 %: `1612 ± 84`; that of an anchor has none. The
 * performance in an arena has none either.
 *
 * @param {EntrantState} entrant
 * @param {string} format
 */
function ladderRating({ rating, deviation, games }, format) {
  if (rating == null || (format === "arena" && !games)) return "";
  if (format === "arena") return `${Math.round(rating)}`;
  return deviation ? `${Math.round(rating)} ± ${Math.round(2 * deviation)}` : `${Math.round(rating)}`;
}

/**
 * Return the tie-breaks that have a column of their own: their places among all, and their names.
 *
 * @param {TournamentTerms} terms
 */
export function tieBreaks(terms) {
  return (terms.tie_breaks ?? []).map((key, at) => ({ at, key, name: BREAKS.get(key) ?? "" })).filter(({ name }) => name);
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
    breaks: tieBreaks(contest.terms).map(({ at }) => (each.tie_breaks ?? [])[at]?.toLocaleString(language) ?? ""),
    rating: ladderRating(each, contest.terms.format),
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
  return [knownTitle(title), formatName(terms.format), time].filter(Boolean).join(" · ");
}

/**
 * Say what becomes of a player who leaves; empty if nothing needs a warning.
 *
 * @param {Contest} contest
 */
export function leaveWarning({ status, terms }) {
  if (status !== "running" || terms.format !== "knockout") return "";
  return tr("Who leaves a knockout cannot come back.");
}
