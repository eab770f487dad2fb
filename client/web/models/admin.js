// What admins of the server read: figures, connections and bans in words.

import { decimal, plural, tr } from "../texts.js";
import { dateText } from "./time.js";

/** @import { BanAnswer, Overview } from "../types/api.js" */
/** @typedef {{label: string, value: string}} Fact */
/** @typedef {{title: string, facts: Fact[]}} Group */

/** The parts of the administration, as `/admin?show=`. */
export const PARTS = [
  { value: "", title: tr("Overview") },
  { value: "players", title: tr("Players") },
  { value: "rooms", title: tr("Rooms") },
  { value: "accounts", title: tr("Accounts") },
  { value: "reports", title: tr("Reports") },
  { value: "bans", title: tr("Bans") },
  { value: "audit", title: tr("Audit log") },
];

/** How long a ban can last, in hours; empty: for good. */
export const HOURS = ["1", "24", "168", "720", ""];

/**
 * Return a length of time in its largest units, such as `3 h 5 min`.
 * @param {number} seconds
 */
export function durationText(seconds) {
  const minutes = Math.floor(seconds / 60);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days) return tr("{days} d {hours} h", { days, hours });
  if (hours) return tr("{hours} h {minutes} min", { hours, minutes: minutes % 60 });
  return minutes ? tr("{minutes} min", { minutes }) : tr("{seconds} s", { seconds: Math.floor(seconds) });
}

/**
 * Return how long a ban lasts when these hours are chosen.
 * @param {string} hours
 */
export function hoursTitle(hours) {
  if (hours === "") return tr("For good");
  return Number(hours) < 24 ? plural("1 hour", "{n} hours", Number(hours)) : plural("1 day", "{n} days", Number(hours) / 24);
}

/**
 * Return until when a ban lasts.
 * @param {BanAnswer} ban
 */
export function banEnd(ban) {
  return ban.until_ms === null ? tr("for good") : tr("until {when}", { when: dateText(ban.until_ms) });
}

/**
 * Return the figures of the server in groups. Counters that are empty are left out.
 * @param {Overview} overview
 * @returns {Group[]}
 */
export function figures(overview) {
  const ms = (/** @type {number | null} */ value) => (value === null ? "–" : tr("{ms} ms", { ms: decimal(value) }));
  const groups = [
    {
      title: tr("present|Now"),
      facts: facts([
        [tr("Players"), overview.players],
        [tr("Connections"), overview.connections],
        [tr("Rooms"), overview.rooms],
        [tr("Games in play"), overview.games_in_play],
        [tr("Tournaments running"), overview.tournaments_running],
        [tr("Bans"), overview.bans],
      ]),
    },
    {
      title: tr("Since the start"),
      facts: facts([
        [tr("Running for"), durationText(overview.uptime_s)],
        [tr("Moves"), overview.moves],
        [tr("Commits"), overview.commits],
        [tr("Commit time, median"), ms(overview.commit_p50_ms)],
        [tr("Commit time, 99 %"), ms(overview.commit_p99_ms)],
        [tr("Delay of the event loop"), ms(overview.loop_lag_ms)],
        [tr("Version"), overview.version],
      ]),
    },
    { title: tr("Nodes"), facts: facts((overview.nodes ?? []).map(({ name, ...node }) => [name, nodeText(node)])) },
    { title: tr("Waiting"), facts: facts(Object.entries(overview.queues)) },
    counters(tr("Limits that were hit"), overview.limit_hits),
    counters(tr("Refused requests"), overview.refusals),
    counters(tr("Dropped connections"), overview.dropped),
  ];
  return groups.filter((group) => group.facts.length > 0);
}

/**
 * Return what is special about a node of a cluster.
 * @param {{version: string, leader: boolean}} node
 */
function nodeText({ version, leader }) {
  return leader ? tr("version {version}, the leader", { version }) : tr("version {version}", { version });
}

/**
 * Return whether nodes of different versions run side by side.
 * @param {Overview} overview
 */
export function versionsDiffer(overview) {
  return new Set((overview.nodes ?? []).map(({ version }) => version)).size > 1;
}

/**
 * @param {[label: string, value: string | number][]} pairs
 * @returns {Fact[]}
 */
function facts(pairs) {
  return pairs.map(([label, value]) => ({ label, value: typeof value === "number" ? decimal(value) : value }));
}

/**
 * Return the counters above 0, the largest first. Their names are the server's own.
 * @param {string} title
 * @param {Record<string, number>} counts
 * @returns {Group}
 */
function counters(title, counts) {
  const pairs = Object.entries(counts).filter(([, count]) => count > 0).sort(([, one], [, other]) => other - one);
  return { title, facts: facts(pairs) };
}
