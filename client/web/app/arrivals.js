// React to updates that concern the person wherever they are: new matches, challenges, ended offers.

import { gamePath, roomPath } from "../models/addresses.js";
import { overLine } from "../models/lobby/offers.js";
import { NO_FIRST_MOVE } from "../models/pausing.js";
import { tr } from "../texts.js";
import { playerPath } from "../widgets/player.js";
import { endedLine, opponentName, runningGames } from "./elsewhere.js";
import { toLogin } from "./rights.js";

/** How long one may change a challenge that was declined, in seconds. */
const ANSWER_S = 30;
/** How long before its start a tournament warns those who join it and play elsewhere. */
const SOON_MS = 600_000;
/** How long the page says that a tournament waits, in seconds. */
const BUSY_S = 30;

/** @import { Update } from "../core/updates.js" */

/**
 * Begin, and return the open offers by id.
 * @param {import("./app.js").App} app
 */
export function followArrivals(app) {
  /** Who the open offers are from and to, for a sentence when they end. */
  const offers = new Map();
  const remember = () => {
    for (const [id, { request }] of app.session.offers) {
      offers.set(id, { mine: true, other: "player" in request ? request.player : "" });
    }
    for (const [id, { player }] of app.session.challenges) {
      offers.set(id, { mine: false, other: player.name });
    }
  };
  app.topics.of("offers").subscribe(remember);
  // Who is in a room needs no message that leads there.
  app.route.subscribe(() => {
    const shown = shownRoom(app);
    for (const what of ["begun", "rematch"]) app.notices.close(`${what} ${shown}`);
  });
  app.listen((updates) => {
    for (const update of updates) take(app, update, offers);
    remember();
    const { offers: mine, challenges } = app.session;
    for (const id of offers.keys()) if (!mine.has(id) && !challenges.has(id)) offers.delete(id);
  });
  return offers;
}

/**
 * @param {import("./app.js").App} app
 * @param {Update} update
 * @param {Map<string, {mine: boolean, other: string}>} offers
 */
function take(app, update, offers) {
  switch (update.kind) {
    case "seated":
      if (!plays(app)) app.navigate(roomPath(update.room));
      begun(app, update.room);
      break;
    case "seatGiven":
      if (app.voice.peek() && expects(app, update.room)) app.navigate(roomPath(update.room));
      begun(app, update.room);
      break;
    case "challenge":
      app.sounds.play("turn");
      break;
    case "offerClosed": {
      const offer = offers.get(update.offer);
      offers.delete(update.offer);
      const line = offer ? overLine(offer, update.outcome, update.reason) : "";
      const asks = offer?.mine && offer.other && update.outcome === "declined";
      const again = () => (app.notices.close("declined"), app.navigate(`${playerPath(offer?.other ?? "")}#challenge`));
      if (asks) {
        const actions = [{ title: tr("Ask again"), run: again }];
        app.notify(line, { key: "declined", seconds: ANSWER_S, actions });
      } else if (line) app.notify(line);
      break;
    }
    case "room":
      if (update.event?.type === "match_finished") ended(app, update.room);
      if (update.event?.type === "match_started") begun(app, update.room);
      if (update.event?.type === "rematch_offered") rematchOffered(app, update.room, update.event.seat);
      if (update.event?.type === "rematch_ended") rematchEnded(app, update.room, update.event);
      break;
    case "roomLeft":
    case "roomLost":
      app.notices.close(`rematch ${update.room}`);
      break;
    case "closing":
      app.notify(tr("The server is restarting. Your games are kept, and go on in a moment."), {
        key: "closing",
      });
      break;
    case "storageFailing":
      app.notify(tr("The server cannot store anything at the moment. It goes on trying."), {
        kind: "bad",
        key: "storage",
        seconds: Infinity,
      });
      break;
    case "storageRecovered":
      app.notify(tr("The server stores again."), { kind: "good", key: "storage" });
      break;
    case "playerForgotten":
      app.notify(update.sentence, { kind: "bad", key: "forgotten" });
      break;
    case "loginEnded":
      app.notify(tr("Your login has ended. Log in again to play under your name."), {
        key: "forgotten",
        actions: [{ title: tr("Log in"), run: () => (app.notices.close("forgotten"), toLogin(app)) }],
      });
      break;
    case "tournament":
      paused(app, update.state);
      busy(app, update.state);
      break;
    case "announcement":
      app.announcement.value = update;
      break;
    case "reconnected":
      app.notices.close("closing");
      app.say(tr("Connected again."));
      break;
  }
}

/**
 * Say that this player pauses in an arena, and offer to play on.
 * @param {import("./app.js").App} app
 * @param {import("../core/messages.js").TournamentState} state
 */
function paused(app, { tournament, terms, status, entrants }) {
  const mine = entrants.find((each) => each.player === app.me.peek());
  const key = `paused ${tournament}`;
  app.notices.close(key);
  if (status !== "running" || mine?.state !== "left" || mine.reason !== NO_FIRST_MOVE) return;
  const back = () => app.request({ type: "join_tournament", tournament }).catch((error) => app.complain(error));
  app.notify(tr("You made no first move in {name}, so you pause.", { name: terms.name }), {
    key,
    actions: [{ title: tr("I am back"), run: () => void back() }],
  });
}

/**
 * Say that the next game of a tournament begins when the match ends that this player plays elsewhere.
 * @param {import("./app.js").App} app
 * @param {import("../core/messages.js").TournamentState} state
 */
function busy(app, { tournament, terms, status, next_ms, entrants }) {
  const key = `busy ${tournament}`;
  // Who joins is warned if it begins soon, or whenever its organiser likes.
  const soon = status === "running" || (status === "open" && (next_ms ?? 0) - Date.now() < SOON_MS);
  const waits = soon && entrants.some((each) => each.busy && each.player === app.me.peek());
  if (!waits) app.notices.close(key);
  else app.notify(tr("Your game in {name} begins when the one that you play ends.", { name: terms.name }), { key, seconds: BUSY_S });
}

/**
 * Return whether a match of this player is on the screen.
 * @param {import("./app.js").App} app
 */
function plays(app) {
  const shown = shownRoom(app);
  return runningGames(app.session.rooms.values()).some((each) => each.room === shown);
}

/**
 * Return whether the shown page waits for a match such as that in a room: the lobby, its tournament, or the
 * last game there.
 * @param {import("./app.js").App} app
 * @param {string} id
 */
function expects(app, id) {
  const { rooms } = app.session;
  const { name, params } = app.route.peek();
  const { tag = null, status } = rooms.get(id) ?? {};
  if (status !== "playing" || plays(app)) return false;
  const shown = name === "room" ? rooms.get(params["id"] ?? "")?.tag?.tournament : name === "tournament" && params["id"];
  return name === "lobby" || (tag !== null && shown === tag.tournament);
}

/**
 * Say that a match has begun which the person does not see, such as one of a tournament.
 * @param {import("./app.js").App} app
 * @param {string} id
 */
function begun(app, id) {
  const room = app.session.rooms.get(id);
  if (room?.status !== "playing" || room.seat === null || shownRoom(app) === id) return;
  app.notices.close(`rematch ${id}`);
  app.notices.close(`busy ${room.tag?.tournament}`);
  app.sounds.play("turn");
  const go = () => app.navigate(roomPath(id));
  app.notify(tr("Your game against {name} has begun.", { name: opponentName(room) }), {
    key: `begun ${id}`,
    rank: 3,
    actions: [{ title: tr("Go there"), run: () => (app.notices.close(`begun ${id}`), go()) }],
  });
}

/**
 * Say that the opponent offers a rematch in a room that the person does not see, for example after
 * the browser's back button.
 * @param {import("./app.js").App} app
 * @param {string} id
 * @param {number} seat - of the player who offers it
 */
function rematchOffered(app, id, seat) {
  const room = app.session.rooms.get(id);
  if (room === undefined || room.seat === null || room.seat === seat) return;
  if (shownRoom(app) === id) return;
  const go = () => app.navigate(`/room/${encodeURIComponent(id)}`);
  app.notify(tr("{name} would like a rematch.", { name: opponentName(room) }), {
    key: `rematch ${id}`,
    actions: [{ title: tr("Go there"), run: go }],
  });
}

/**
 * Take back that there is a rematch; say so when the opponent does not want one.
 * @param {import("./app.js").App} app
 * @param {string} id
 * @param {import("../core/messages.js").RematchEnded} event
 */
function rematchEnded(app, id, { seat, outcome }) {
  app.notices.close(`rematch ${id}`);
  const room = app.session.rooms.get(id);
  if (room === undefined || room.seat !== seat || outcome !== "declined") return;
  app.notify(tr("{name} does not want a rematch.", { name: opponentName(room) }));
}

/**
 * Say how a match ended that the person does not see.
 * @param {import("./app.js").App} app
 * @param {string} id
 */
function ended(app, id) {
  app.notices.close(`begun ${id}`);
  const room = app.session.rooms.get(id);
  if (room === undefined || shownRoom(app) === id) return;
  const line = endedLine(room);
  const game = room.result?.game_id;
  if (!line || !game) return;
  const key = `ended ${id}`;
  const review = () => (app.notices.close(key), app.navigate(gamePath(game)));
  app.notify(line, { key, actions: [{ title: tr("Review"), run: review }] });
}

/**
 * Return the id of the room whose page is shown, or null.
 * @param {import("./app.js").App} app
 */
export function shownRoom(app) {
  const { name, params } = app.route.peek();
  return name === "room" ? params["id"] : null;
}
