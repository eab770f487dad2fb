// The boards of a wall as data: which rooms are in play, which of them are shown, and how exciting they are.

import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";

import { USUAL } from "../../models/rating.js";
import { TournamentNews } from "../../models/tournament-news.js";
import { hasEnded } from "../../models/tournament-words.js";
import { excitement, likely, playing, stateOf, Wall } from "../../models/wall.js";
import { getJson } from "../../net/api.js";
import { tr } from "../../texts.js";
import { useLoaded } from "../common/load.js";
import { useTitle } from "../common/parts.js";
import { Followed } from "./followed.js";
import { Ratings } from "./ratings.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../types/api.js").Rooms} Rooms */
/**
 * The rooms with a game in play, best first, and how exciting each probably is before its board is known.
 * @typedef {{title: string, live: string[], chance: (room: string) => number, total: number, over: boolean}} Source
 */

const EVERY_MS = 3000;
/** When a game on the wall ends, the next one probably begins: look for it soon. */
const SOON_MS = 700;
/** How long no board is shown because others have not come yet, in seconds. */
const SETTLE_S = 1.5;

/**
 * Return the rooms with a game in play.
 *
 * @param {App} app
 * @param {TournamentNews | null} news of a tournament; null: all rooms of the server
 * @param {Ratings} ratings
 * @param {number} most - the number of boards
 * @param {AbortSignal} signal
 * @returns {Promise<Source>}
 */
async function sourceOf(app, news, ratings, most, signal) {
  if (news === null) {
    const { rooms } = /** @type {Rooms} */ (await getJson("/api/rooms", {}, { signal }));
    // Boards that are chosen once stay, so choose by ratings where there are more games than places.
    if (rooms.length > most) await ratings.prepare(rooms, app.now());
    const worth = new Map(rooms.map((each) => [each.room, likely(each, ratings.known(each).map((found) => found?.rating ?? USUAL))]));
    const chance = (/** @type {string} */ room) => worth.get(room) ?? 0;
    // The list may come before the welcome that says who this player is.
    const me = app.me.value || (app.identity.name ?? "");
    const live = playing(rooms, me, ({ room }) => chance(room)).map((each) => each.room);
    return { title: "", live, chance, total: live.length, over: false };
  }
  const found = await news.load(signal);
  const live = found.live.map((each) => each.room);
  return { title: found.name, live, chance: () => 1, total: live.length, over: hasEnded(found.status) };
}

/**
 * Load the rooms with a game in play of the server, or of the tournament that the address names, again and again.
 *
 * @param {App} app
 * @param {number} most - the number of boards
 */
export function useSource(app, most) {
  const tournament = new URLSearchParams(app.route.value.search).get("tournament") ?? "";
  const news = useMemo(() => (tournament ? new TournamentNews(tournament) : null), [tournament]);
  const ratings = useMemo(() => new Ratings(), []);
  const loaded = useLoaded((signal) => sourceOf(app, news, ratings, most, signal), tournament, EVERY_MS);
  useTitle(app, tr("Watch"));
  return { tournament, loaded, ratings };
}

/** The rooms that one page shows. */
export class Boards {
  /**
   * @param {App} app
   * @param {Ratings} ratings
   * @param {number} most
   * @param {() => void} changed renders the page again
   */
  constructor(app, ratings, most, changed) {
    this.app = app;
    this.wall = new Wall(most);
    this.followed = new Followed(app);
    this.ratings = ratings;
    ratings.onNews = changed;
    this.again = () => {};
    /** Whether all boards have come, so that they can be shown in their order. */
    this.settled = false;
    this._settleAt = app.now() + SETTLE_S;
    /** Render the page again. */
    this.changed = changed;
    this._timer = 0;
  }

  /** Look for new games soon. */
  lookSoon() {
    this._timer ||= setTimeout(() => {
      this._timer = 0;
      this.again();
    }, SOON_MS);
  }

  /** Follow the rooms that are shown; return what stops this. */
  open() {
    const stop = this.app.listen((updates) => {
      if (updates.some((each) => each.kind === "room" && each.event?.type === "match_finished")) this.lookSoon();
      if (this._settle()) this.changed();
    });
    this.followed.open();
    return () => {
      stop();
      clearTimeout(this._timer);
      this._timer = 0;
      this.followed.close();
    };
  }

  /** @param {Source} found */
  take(found) {
    const { tiles } = this.wall;
    this.wall.take(found.live, this.app.now());
    // A game that ended before its board came has no last position to show.
    for (const { room, endedAt } of this.wall.tiles) {
      if (endedAt !== null && !this.app.session.rooms.has(room)) this.wall.drop(room);
    }
    this._follow();
    if (this._settle() || this.wall.tiles !== tiles) this.changed();
  }

  /**
   * Let a board whose game is decided give its place to a game that waits, but not the one that somebody looks at.
   *
   * @param {Source} found
   * @param {string | null} held
   */
  renew(found, held) {
    if (!this.settled || !this.wall.renew((room) => this.value(room), found.chance, held, this.app.now())) return;
    this._follow();
    this.changed();
  }

  _follow() {
    this.followed.want(this.wall.tiles.map((tile) => tile.room), (room) => {
      this.wall.drop(room);
      this.changed();
      this.lookSoon();
    });
  }

  /** Note that all boards have come, or have been waited for long enough; return whether that is new. */
  _settle() {
    if (this.settled || !this.wall.tiles.length) return false;
    const { rooms } = this.app.session;
    this.settled = this.app.now() >= this._settleAt || this.wall.tiles.every((tile) => rooms.has(tile.room));
    // Before a board is shown, so that none jumps.
    if (this.settled) this.wall.sort((room) => this.value(room), null, this.app.now());
    return this.settled;
  }

  /**
   * Return how exciting the game of a room is; null while its board has not come.
   *
   * @param {string} room
   */
  value(room) {
    const mirror = this.app.session.rooms.get(room);
    if (mirror === undefined) return null;
    const now = this.app.now();
    const ratings = this.ratings.of(mirror, now).flatMap((each) => (each === null ? [] : [each.rating]));
    return excitement(stateOf(mirror, ratings, now));
  }
}

/**
 * @param {App} app
 * @param {number} most
 * @param {{found: Source, ratings: Ratings, again: () => void}} source
 */
export function useBoards(app, most, { found, ratings, again }) {
  const [, changed] = useReducer((/** @type {number} */ count) => count + 1, 0);
  const boards = useRef(/** @type {Boards | null} */ (null));
  boards.current ??= new Boards(app, ratings, most, () => changed(0));
  boards.current.again = again;
  useEffect(() => boards.current?.open(), []);
  // Before the first paint, which holds the places of the boards.
  useLayoutEffect(() => boards.current?.take(found), [found]);
  return boards.current;
}
