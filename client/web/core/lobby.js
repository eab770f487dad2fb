// Mirror the lobby: players online, open seeks, public rooms, tournaments and ratings.

/**
 * @import { LobbyChanged, LobbyRating, LobbyRoom, LobbySeek, LobbyState, LobbyTournament,
 *   PlayerInfo } from "./messages.js"
 */

/**
 * Return the key of a rating in `LobbyMirror.ratings`.
 * @param {string} player
 * @param {string} game
 * @param {string} size
 */
export function ratingKey(player, game, size) {
  // No name, key or size contains a line break.
  return `${player}\n${game}\n${size}`;
}

/**
 * The lobby as the server last described it; callers only read it.
 *
 * `players` is keyed by name, `seeks`, `rooms` and `tournaments` by id, and `ratings` by
 * `ratingKey`. `stale` is true from a reconnect until the next full lobby message.
 */
export class LobbyMirror {
  /** @type {Map<string, PlayerInfo>} */
  players = new Map();
  /** @type {Map<string, LobbySeek>} */
  seeks = new Map();
  /** @type {Map<string, LobbyRoom>} */
  rooms = new Map();
  /** @type {Map<string, LobbyTournament>} */
  tournaments = new Map();
  /** @type {Map<string, LobbyRating>} */
  ratings = new Map();
  stale = true;
  /** Whether the server has left players out, because there are too many. */
  cut = false;

  /**
   * Replace everything by a full lobby message.
   * @param {LobbyState} state
   */
  replace(state) {
    for (const map of [this.players, this.seeks, this.rooms, this.tournaments, this.ratings]) {
      map.clear();
    }
    this.#add(state);
    this.cut = state.players_total > state.players.length;
    this.stale = false;
  }

  /**
   * Apply additions, changes and removals.
   * @param {LobbyChanged} change
   */
  change(change) {
    // Removals come first, so an entry that was removed and added again stays.
    for (const name of change.players_gone) this.players.delete(name);
    for (const id of change.seeks_gone) this.seeks.delete(id);
    for (const id of change.rooms_gone) this.rooms.delete(id);
    for (const id of change.tournaments_gone) this.tournaments.delete(id);
    this.#add(change);
    if (change.players_total !== null) this.cut = change.players_total > this.players.size;
  }

  /** @param {LobbyState | LobbyChanged} message */
  #add(message) {
    for (const player of message.players) this.players.set(player.name, player);
    for (const seek of message.seeks) this.seeks.set(seek.seek, seek);
    for (const room of message.rooms) this.rooms.set(room.room, room);
    for (const each of message.tournaments) this.tournaments.set(each.tournament, each);
    for (const each of message.ratings) {
      this.ratings.set(ratingKey(each.player, each.game, each.size), each);
    }
  }
}
