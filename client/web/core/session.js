// Mirror everything that the server has sent to one client: player, rooms, lobby and offers.
//
// Theory of operation
// -------------------
// `receive` applies one message, together with the request that it answers, if any. It returns what
// changed. When the session needs something from the server (events after a gap, everything after a
// reconnect), it puts requests into `wanted`. The queue fetches them with `takeWanted`, gives them
// ids and sends them. Their answers come back through `receive`, like all others.
//
// After a welcome the session asks for everything again: the rooms that it followed, the rooms in
// which the player has a seat, the lobby, the review under way, and each open offer under its old
// idempotency key. The server answers each offer with the offer itself, posted again if a restart
// of the server lost it, or with the room that the offer led to meanwhile.

import { tr } from "../texts.js";
import { LobbyMirror } from "./lobby.js";
import { Offers } from "./offers.js";
import { OpenGames } from "./open-games.js";
import { Reviews } from "./reviews.js";
import { FollowedRooms, isFollowing } from "./rooms.js";

/**
 * @import { ClientMessage, Failed, NewRequest, PlayerInfo, ServerMessage, Welcome }
 *   from "./messages.js"
 * @import { Update } from "./updates.js"
 */

/**
 * The client's mirror of the server; callers read its fields, only `receive` changes them.
 *
 * `player`, `epoch` and `welcome` come from the last welcome; they are null or empty before the
 * first one. `rooms` has the followed rooms and the last closed ones. `lobby` is null unless the
 * client follows it. `offers` has this player's open seeks and challenges, `challenges` the open
 * challenges to this player, all by id. `reviews` has the reviews of finished games that it waits
 * for, and the last finished ones, by the id of the game. `openGames` has the games in play, as far as
 * the client has asked for them.
 */
export class Session {
  /** @type {Welcome | null} */
  welcome = null;
  /** @type {PlayerInfo | null} */
  player = null;
  epoch = "";
  /** @type {LobbyMirror | null} */
  lobby = null;
  /** @type {NewRequest[]} */
  wanted = [];
  #rooms = new FollowedRooms((request) => this.wanted.push(request));
  #offers = new Offers();
  #reviews = new Reviews();
  rooms = this.#rooms.mirrors;
  offers = this.#offers.mine;
  challenges = this.#offers.challenges;
  reviews = this.#reviews.known;
  openGames = new OpenGames();

  /**
   * Apply one message and return what changed.
   * @param {ServerMessage} message
   * @param {number} now in seconds, by a clock that never goes back
   * @param {ClientMessage | null} request the request that it answers, or null
   * @returns {Update[]}
   */
  receive(message, now, request = null) {
    const updates = this.#take(message, now, request);
    const repeated = message.type === "challenged" || message.type === "welcome";
    if (this.#offers.unconfirmed.size > 0 && !repeated) {
      return [...this.#offers.expire(), ...updates];
    }
    return updates;
  }

  /**
   * Note a request that is about to be sent: an offer that it cancels is not renewed.
   * @param {ClientMessage} request
   */
  noteRequest(request) {
    if (request.type === "cancel_seek" || request.type === "cancel_challenge") {
      this.#offers.withdraw(request);
    }
  }

  /** Ask for the matches in play, because their clocks may be wrong. */
  refresh() {
    this.#rooms.refresh();
  }

  /** Ask for the whole lobby, because a change of it is missing. */
  refreshLobby() {
    if (this.lobby === null || this.lobby.stale) return;
    this.lobby.stale = true;
    this.wanted.push({ type: "follow_lobby" });
  }

  /**
   * Return the requests that the session needs, and forget them.
   * @returns {NewRequest[]}
   */
  takeWanted() {
    const wanted = this.wanted;
    this.wanted = [];
    return wanted;
  }

  /**
   * @param {ServerMessage} message
   * @param {number} now
   * @param {ClientMessage | null} request
   * @returns {Update[]}
   */
  #take(message, now, request) {
    switch (message.type) {
      case "room_created":
      case "seated":
      case "match_started":
      case "move":
      case "takeback_asked":
      case "takeback_declined":
      case "takeback":
      case "match_finished":
      case "rematch_offered":
      case "rematch_ended":
      case "room_closed":
        return this.#rooms.takeEvent(message, now);
      case "presence":
        return this.#rooms.takePresence(message, now);
      case "phrase_said":
        return this.#rooms.takePhrase(message);
      case "said":
        return [{ kind: "said", said: message }];
      case "room_state": {
        const asked = message.id !== null || this.rooms.has(message.room);
        const seated = this.#offers.seat(message, request);
        const changes = this.#rooms.takeState(message, now, request);
        const given = !asked && message.seat !== null && this.rooms.has(message.room);
        if (given && seated.length === 0) seated.push({ kind: "seatGiven", room: message.room });
        return [...seated, ...changes];
      }
      case "done":
        return this.#takeDone(request);
      case "error":
        return this.#takeFailure(message, request);
      case "seek_posted":
        return this.#offers.posted(message.seek, request);
      case "challenge_sent":
        return this.#offers.posted(message.challenge, request);
      case "challenged":
        return this.#offers.received(message);
      case "offer_ended":
        return this.#offers.end(message.offer, message.outcome, tr(message.reason));
      case "lobby_state":
        this.lobby ??= new LobbyMirror();
        this.lobby.replace(message);
        return [{ kind: "lobby", change: null }];
      case "lobby_changed":
        // Before the next full lobby message there is no state to which a change applies.
        if (this.lobby === null || this.lobby.stale) return [];
        this.lobby.change(message);
        return [{ kind: "lobby", change: message }];
      case "tournament_state":
        return [{ kind: "tournament", state: message }];
      case "review":
        return this.#reviews.take(message, request);
      case "open_games":
        return this.openGames.take(message, now);
      case "your_turn":
        // In a cluster it also comes to a connection that follows the room.
        return this.#rooms.mirrors.has(message.room) ? [] : [{ kind: "yourTurn", notice: message }];
      case "announcement":
        return [{ kind: "announcement", text: message.text, untilMs: message.until_ms }];
      case "closing":
        return [{ kind: "closing", graceMs: message.grace_ms }];
      case "welcome":
        return this.#takeWelcome(message);
      default:
        return [];
    }
  }

  /**
   * @param {Welcome} message
   * @returns {Update[]}
   */
  #takeWelcome(message) {
    const first = this.welcome === null;
    const epochChanged = this.epoch !== message.epoch;
    this.welcome = message;
    this.player = message.player;
    this.epoch = message.epoch;
    // Requests of the last connection are obsolete; the lines below ask for everything again.
    this.wanted = [];
    this.#rooms.resume(message.rooms);
    if (this.lobby !== null) {
      this.lobby.stale = true;
      this.wanted.push({ type: "follow_lobby" });
    }
    this.wanted.push(...this.#offers.renew(), ...this.#reviews.renew());
    return first ? [] : [{ kind: "reconnected", epochChanged }];
  }

  /**
   * @param {ClientMessage | null} request
   * @returns {Update[]}
   */
  #takeDone(request) {
    if (request?.type === "leave") return this.#rooms.leave(request.room);
    if (request?.type === "follow_lobby") this.lobby = null;
    return this.#offers.takeDone(request);
  }

  /**
   * @param {Failed} message
   * @param {ClientMessage | null} request
   * @returns {Update[]}
   */
  #takeFailure(message, request) {
    if (isFollowing(request)) return this.#rooms.refuse(message, request);
    if (request?.type === "get_review") return this.#reviews.refuse(message, request.game_id);
    return this.#offers.takeFailure(message, request);
  }
}
