// Keep the mirrors of the followed rooms up to date, and ask the server for what is missing.
//
// When a mirror is out of step, one request brings it up to date. After a `Gap` the client asks for
// the events after the last applied one. After a `Desync` it asks from event 0, which brings a
// snapshot or all events. If that answer contradicts itself too, the room is lost.

import { Desync, Gap } from "./errors.js";
import { RoomMirror } from "./room.js";

/**
 * @import { ClientMessage, Failed, NewRequest, PhraseSaid, Presence, RoomEvent, RoomState }
 *   from "./messages.js"
 * @import { Resume, Watch } from "../types/wire"
 * @import { Update } from "./updates.js"
 */

/** How many mirrors of closed rooms are kept, so that people can still see the last position. */
export const MAX_CLOSED = 64;

/**
 * The mirrors of the followed rooms and of the last closed ones, by room id.
 */
export class FollowedRooms {
  /** @type {Map<string, RoomMirror>} */
  mirrors = new Map();
  #ask;
  /**
   * For each room that is being brought up to date: the event after which it asked.
   * @type {Map<string, number>}
   */
  #resyncing = new Map();

  /** @param {(request: NewRequest) => void} ask sends the requests that bring mirrors up to date */
  constructor(ask) {
    this.#ask = ask;
  }

  /**
   * Ask again for every followed room, and for the rooms `seats` that seat the player.
   * @param {string[]} seats
   */
  resume(seats) {
    /** @type {Map<string, number>} */
    const resume = new Map(seats.map((room) => [room, 0]));
    for (const [room, mirror] of this.mirrors) {
      // A resync without an answer may have started from an earlier event than the mirror's last.
      if (mirror.status !== "closed") resume.set(room, this.#resyncing.get(room) ?? mirror.seq);
    }
    this.#resyncing.clear();
    for (const [room, seq] of resume) this.#resync(room, seq);
  }

  /** Ask for the matches in play, because their clocks may be wrong. */
  refresh() {
    for (const [room, mirror] of this.mirrors) {
      if (mirror.status === "playing") this.#resync(room, mirror.seq);
    }
  }

  /**
   * Apply one event to its room.
   * @param {RoomEvent} event
   * @param {number} now
   * @returns {Update[]}
   */
  takeEvent(event, now) {
    const mirror = this.mirrors.get(event.room);
    if (!mirror || mirror.status === "closed") return [];
    try {
      if (!mirror.apply(event, now)) return [];
    } catch (error) {
      if (!(error instanceof Desync)) throw error;
      this.#resync(mirror.room, error instanceof Gap ? mirror.seq : 0);
      return [];
    }
    if (event.type === "room_closed") this.#forgetClosed();
    return [{ kind: "room", room: event.room, event }];
  }

  /**
   * Apply a `room_state`; `request` is the request that it answers, or null.
   * @param {RoomState} message
   * @param {number} now
   * @param {ClientMessage | null} request
   * @returns {Update[]}
   */
  takeState(message, now, request) {
    const { room } = message;
    const resumed = isFollowing(request);
    if (resumed) this.#resyncing.delete(room);
    let changes;
    try {
      changes = this.#takeRoom(message, now, resumed);
    } catch (error) {
      if (!(error instanceof Desync)) throw error;
      // This was the answer to a request for everything, so asking again cannot help.
      if (request?.type === "resume" && request.seq === 0) return this.lose(room, error.message);
      this.#resync(room, 0);
      return [];
    }
    const mirror = this.mirrors.get(room);
    if (mirror) {
      // The server does not repeat the code to a spectator, so keep the one that was given.
      const given = request?.type === "watch" || request?.type === "join_room";
      if (given) mirror.code ??= request.code ?? null;
      if (mirror.status === "closed") this.#forgetClosed();
    }
    return changes;
  }

  /**
   * Apply who is present in a room.
   * @param {Presence} notice
   * @param {number} now
   * @returns {Update[]}
   */
  takePresence(notice, now) {
    const mirror = this.mirrors.get(notice.room);
    if (!mirror) return [];
    mirror.updatePresence(notice, now);
    return [{ kind: "presence", room: notice.room }];
  }

  /**
   * Pass on what a player said, unless it belongs to a match that is not shown.
   * @param {PhraseSaid} notice
   * @returns {Update[]}
   */
  takePhrase({ room, match, seat, phrase }) {
    if (this.mirrors.get(room)?.match !== match) return [];
    return [{ kind: "phrase", room, seat, phrase }];
  }

  /**
   * Handle the refusal of a request for a room: retry with the code, or lose the room.
   * @param {Failed} message
   * @param {Resume | Watch} request
   * @returns {Update[]}
   */
  refuse(message, request) {
    const { room } = request;
    if (request.type === "watch") {
      return this.#resyncing.has(room) ? this.lose(room, message.message) : [];
    }
    const code = this.mirrors.get(room)?.code ?? null;
    if (code !== null && (message.code === "wrong_code" || message.code === "not_seated")) {
      // Only a spectator of a private room is refused so; a `watch` with the code helps.
      this.#ask({ type: "watch", room, code });
      return [];
    }
    return this.lose(room, message.message);
  }

  /**
   * Stop following `room`.
   * @param {string} room
   * @returns {Update[]}
   */
  leave(room) {
    this.#resyncing.delete(room);
    return this.mirrors.delete(room) ? [{ kind: "roomLeft", room }] : [];
  }

  /**
   * Close the mirror of a room that can no longer be followed; `sentence` is the reason.
   * @param {string} room
   * @param {string} sentence
   * @returns {Update[]}
   */
  lose(room, sentence) {
    this.#resyncing.delete(room);
    const mirror = this.mirrors.get(room);
    if (mirror) {
      if (mirror.status === "closed") return [];
      mirror.close(sentence);
      this.#forgetClosed();
    }
    return [{ kind: "roomLost", room, sentence }];
  }

  /**
   * Ask for the events after `seq`, unless a request for the room is already under way.
   * @param {string} room
   * @param {number} seq
   */
  #resync(room, seq) {
    if (this.#resyncing.has(room)) return;
    this.#resyncing.set(room, seq);
    this.#ask({ type: "resume", room, seq });
  }

  /**
   * Apply a `room_state` to its mirror, which is created if needed.
   * @param {RoomState} message
   * @param {number} now
   * @param {boolean} resumed
   * @returns {Update[]}
   */
  #takeRoom(message, now, resumed) {
    const { room, snapshot } = message;
    const mirror = this.mirrors.get(room);
    const whole = snapshot !== null || message.events?.[0]?.seq === 1;
    if (!mirror || mirror.status === "closed") {
      // Removing a closed mirror first keeps `mirrors` in order of age.
      this.mirrors.delete(room);
      this.mirrors.set(room, new RoomMirror(message, now));
      return [{ kind: "room", room, event: null }];
    }
    if (whole && (resumed || snapshot === null || snapshot.seq >= mirror.seq)) {
      const { code } = mirror;
      mirror.adopt(new RoomMirror(message, now));
      mirror.code ??= code;
      return [{ kind: "room", room, event: null }];
    }
    if (snapshot !== null) return []; // older than the mirror; only a resume may set it back
    const fresh = mirror.catchUp(message, now);
    if (fresh.length === 0) return [{ kind: "room", room, event: null }];
    return fresh.map((event) => ({ kind: "room", room, event }));
  }

  #forgetClosed() {
    const closed = [...this.mirrors.values()].filter((mirror) => mirror.status === "closed");
    for (const { room } of closed.slice(0, -MAX_CLOSED)) this.mirrors.delete(room);
  }
}

/**
 * @param {ClientMessage | null} request
 * @returns {request is Resume | Watch}
 */
export function isFollowing(request) {
  return request?.type === "resume" || request?.type === "watch";
}
