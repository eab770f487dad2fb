// Order and describe what the lobby lists: players, offers, games, and this player's own offers.

import { seekPath } from "../addresses.js";
import { timeLine } from "../room/words.js";
import { language, plural, tr } from "../../texts.js";
import { LEVELS, levelLine, levelOf, strength } from "./levels.js";

/**
 * @import { LobbyRating, LobbyRoom, LobbySeek, MatchSettings, PlayerInfo } from "../../types/wire"
 */
/** @typedef {(settings: MatchSettings) => string} Titles  the game and size of a match */
/**
 * `name` identifies the row. `about` describes kind and strength.
 * @typedef {{name: string, player: PlayerInfo, about: string, rating: string, playing: boolean,
 *   me: boolean}} PlayerRow
 * @typedef {{seek: string, player: PlayerInfo, what: string, time: string, start: string}} SeekRow
 * @typedef {{room: string, players: PlayerInfo[], what: string, time: string,
 *   waits: boolean}} RoomRow
 * @typedef {{kind: "seek" | "challenge" | "waiting", key: string, text: string, link?: string}} OwnLine
 */

/** A rating with a larger deviation is provisional: too few games support it. */
const PROVISIONAL = 110;

/**
 * Return the players: this one first, then people by name, then bots by level and name.
 * @param {Iterable<PlayerInfo>} players
 * @param {Iterable<LobbyRoom>} rooms
 * @param {Iterable<LobbyRating>} ratings
 * @param {string} me
 * @returns {PlayerRow[]}
 */
export function playerRows(players, rooms, ratings, me) {
  const playing = new Set();
  for (const room of rooms) {
    if (room.status !== "playing") continue;
    for (const player of room.players) if (player) playing.add(player.name);
  }
  const best = bestKnown(ratings);
  const rank = (/** @type {PlayerInfo} */ player) => {
    if (player.name === me) return 0;
    return player.kind === "human" ? 1 : 2 + ((levelOf(player) ?? LEVELS.length + 1) - 1);
  };
  return [...players]
    .sort((a, b) => rank(a) - rank(b) || byName(a.name, b.name))
    .map((player) => {
      const rating = best.get(player.name);
      return {
        name: player.name,
        player,
        about: about(player),
        rating: rating ? ratingText(rating) : "",
        playing: playing.has(player.name),
        me: player.name === me,
      };
    });
}

/**
 * Return the seeks of other players, in the server's order.
 * @param {Iterable<LobbySeek>} seeks
 * @param {string} me
 * @param {Titles} title
 * @returns {SeekRow[]}
 */
export function seekRows(seeks, me, title) {
  return [...seeks]
    .filter((seek) => seek.player.name !== me)
    .map((seek) => ({
      seek: seek.seek,
      player: seek.player,
      what: what(seek.settings, title),
      time: timeLine(timeOf(seek.settings)),
      start: seek.seat === null ? "" : seek.seat === 0 ? tr("they move first") : tr("you move first"),
    }));
}

/**
 * Return the rooms of others: first those that wait for a player, then games in play.
 * @param {Iterable<LobbyRoom>} rooms
 * @param {string} me
 * @param {Titles} title
 * @returns {RoomRow[]}
 */
export function roomRows(rooms, me, title) {
  return [...rooms]
    .filter((room) => othersPlay(room, me))
    .sort((a, b) => Number(b.status === "waiting") - Number(a.status === "waiting"))
    .map((room) => ({
      room: room.room,
      players: room.players.filter((player) => player !== null),
      what: what(room.settings, title),
      time: timeLine(timeOf(room.settings)),
      waits: room.status === "waiting",
    }));
}

/**
 * Return what this player has open: first waiting rooms, then offers.
 * @param {Iterable<{room: string, seat: number | null, status: string, settings: MatchSettings}>} rooms
 * @param {Iterable<{offer: string, request: {type: string, settings: MatchSettings,
 *   player?: string}, withdrawn: boolean}>} offers
 * @param {Titles} title
 * @returns {OwnLine[]}
 */
export function ownLines(rooms, offers, title) {
  const short = (/** @type {MatchSettings} */ settings) =>
    `${what(settings, title)} · ${timeLine(timeOf(settings))}`;
  /** @type {OwnLine[]} */
  const lines = [];
  for (const room of rooms) {
    if (room.seat === null || room.status !== "waiting") continue;
    const text = tr("Your room waits for a player: {match}", { match: short(room.settings) });
    lines.push({ kind: "waiting", key: room.room, text });
  }
  for (const { offer, request, withdrawn } of offers) {
    if (withdrawn) continue;
    const match = short(request.settings);
    if (request.player === undefined) {
      const text = tr("Waiting for an opponent: {match}", { match });
      lines.push({ kind: "seek", key: offer, text, link: seekPath(offer, request.settings) });
    } else {
      const text = tr("Waiting for {name} to answer: {match}", { name: request.player, match });
      lines.push({ kind: "challenge", key: offer, text });
    }
  }
  return lines;
}

/**
 * Return what is played: the game and its size, and what is special about it.
 * @param {MatchSettings} settings
 * @param {Titles} title
 */
export function what(settings, title) {
  const parts = [title(settings)];
  if (settings.opening?.length) parts.push(tr("from an opening"));
  if (settings.start?.length) parts.push(tr("from move {number}", { number: settings.start.length + 1 }));
  if (settings.rated) parts.push(tr("rated"));
  if (settings.evaluation) parts.push(tr("spectators see who is ahead"));
  return parts.join(", ");
}

/**
 * Return the settings of a match: `Dots and Boxes 5x5 · 5 min + 3 s · rated`.
 * @param {MatchSettings} settings
 * @param {Titles} title
 */
export function matchLine(settings, title) {
  const parts = [title(settings)];
  if (settings.opening?.length) parts.push(tr("from an opening"));
  if (settings.start?.length) parts.push(tr("from move {number}", { number: settings.start.length + 1 }));
  parts.push(timeLine(timeOf(settings)), settings.rated ? tr("rated") : tr("casual"));
  if (settings.evaluation) parts.push(tr("spectators see who is ahead"));
  return parts.join(" · ");
}

/**
 * Return what others offer and play here: `7 players, 1 offer, 2 games`.
 * @param {{players: Map<string, unknown>, seeks: Map<string, LobbySeek>, rooms: Map<string, LobbyRoom>}} lobby
 * @param {string} me
 */
export function countsLine({ players, seeks, rooms }, me) {
  const offers = [...seeks.values()].filter(({ player }) => player.name !== me).length;
  const shown = (/** @type {number} */ n) => ({ n: n.toLocaleString(language) });
  const games = [...rooms.values()].filter((room) => othersPlay(room, me)).length;
  return [
    plural("1 player", "{n} players", players.size, shown(players.size)),
    plural("1 offer", "{n} offers", offers, shown(offers)),
    plural("1 game", "{n} games", games, shown(games)),
  ].join(", ");
}

/**
 * Return a sentence when the server lists only the newest of `total` entries; otherwise an empty text.
 * @param {number | undefined} total - undefined: it lists all
 */
export function moreLine(total) {
  return total === undefined ? "" : tr("Only the newest of {total} are listed.", { total: total.toLocaleString(language) });
}

/**
 * Return, by player, the rating in the game and size that the player has played most.
 * @param {Iterable<LobbyRating>} ratings
 */
function bestKnown(ratings) {
  /** @type {Map<string, LobbyRating>} */
  const found = new Map();
  for (const rating of ratings) {
    const known = found.get(rating.player);
    if (known === undefined || rating.games > known.games) found.set(rating.player, rating);
  }
  return found;
}

/**
 * Return `1523`, or `1523?` for a provisional rating.
 * @param {LobbyRating} rating
 */
export function ratingText(rating) {
  return `${Math.round(rating.rating)}${rating.deviation > PROVISIONAL ? "?" : ""}`;
}

/**
 * Describe the kind and strength of a player; empty for a person.
 * @param {PlayerInfo} player
 */
export function about(player) {
  if (player.kind === "human") return "";
  const level = levelOf(player);
  // The name of such a bot usually names its level already.
  const named = level !== null && player.name.split("-")[0] === LEVELS[level - 1];
  return (named ? levelLine(level, false) : strength(player)) || tr("bot");
}

/**
 * @param {LobbyRoom} room
 * @param {string} me
 */
function othersPlay({ status, players }, me) {
  return status !== "finished" && players.every((player) => player?.name !== me);
}

/** @param {MatchSettings} settings */
function timeOf(settings) {
  return settings.time ?? { base_ms: null, increment_ms: 0, move_ms: null };
}

/**
 * @param {string} a
 * @param {string} b
 */
function byName(a, b) {
  return a.localeCompare(b, undefined, { sensitivity: "base" });
}
