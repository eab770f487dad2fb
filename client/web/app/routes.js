// Map the addresses of the page to the modules that show them; a page loads when it is needed.

import { withStyle } from "./style.js";

/**
 * @typedef {Record<string, string>} Params
 * @typedef {{app: any, params: Params}} PageProps
 * @typedef {(props: any) => import("preact").ComponentChildren} Page
 * @typedef {{name: string, path: string, load: () => Promise<Page>}} Route
 */

/** @param {() => Promise<Page>} load */
const withLearn = (load) => withStyle("learn", () => withStudy(load));

/** @param {() => Promise<Page>} load */
const withStudy = (load) => withStyle("study", () => withStyle("values", load));

const analysis = () => withStudy(async () => (await import("../pages/analysis.js")).AnalysisPage);

/** @type {readonly Route[]} */
export const ROUTES = [
  { name: "lobby", path: "/", load: async () => (await import("../pages/lobby.js")).LobbyPage },
  {
    name: "room",
    path: "/room/:id",
    load: async () => (await import("../pages/room.js")).RoomPage,
  },
  {
    name: "game",
    path: "/game/:id",
    load: () => withStudy(async () => (await import("../pages/game.js")).GamePage),
  },
  {
    name: "games",
    path: "/games",
    load: async () => (await import("../pages/games.js")).GamesPage,
  },
  {
    name: "records",
    path: "/records",
    load: () => withStudy(async () => (await import("../pages/records.js")).RecordsPage),
  },
  {
    name: "player",
    path: "/player/:name",
    load: async () => (await import("../pages/player.js")).PlayerPage,
  },
  {
    name: "ratings",
    path: "/ratings",
    load: async () => (await import("../pages/ratings.js")).RatingsPage,
  },
  {
    name: "tournament",
    path: "/tournament/:id",
    load: () => withStyle("tournament", async () => (await import("../pages/tournament.js")).TournamentPage),
  },
  {
    name: "tournaments",
    path: "/tournaments",
    load: () => withStyle("tournament", async () => (await import("../pages/tournaments.js")).TournamentsPage),
  },
  {
    name: "rules",
    path: "/rules",
    load: () => withStyle("rules", async () => (await import("../pages/rules.js")).RulesPage),
  },
  { name: "me", path: "/me", load: async () => (await import("../pages/me.js")).MePage },
  {
    name: "account",
    path: "/account",
    load: () => withStyle("account", async () => (await import("../pages/account.js")).AccountPage),
  },
  {
    name: "classes",
    path: "/classes",
    load: async () => (await import("../pages/classes.js")).ClassesPage,
  },
  { name: "bot", path: "/bot/:name", load: async () => (await import("../pages/bot.js")).BotPage },
  { name: "join", path: "/join/:code", load: async () => (await import("../pages/join.js")).JoinPage },
  {
    name: "admin",
    path: "/admin",
    load: () => withStyle("account", async () => (await import("../pages/admin.js")).AdminPage),
  },
  { name: "analysis", path: "/analysis", load: analysis },
  { name: "analysis", path: "/analysis/:position", load: analysis },
  {
    name: "learn",
    path: "/learn",
    load: () => withLearn(async () => (await import("../pages/learn.js")).LearnPage),
  },
  {
    name: "lesson",
    path: "/learn/:name",
    load: () => withLearn(async () => (await import("../pages/lesson.js")).LessonPage),
  },
  {
    name: "puzzles",
    path: "/puzzles",
    load: () => withLearn(async () => (await import("../pages/puzzles.js")).PuzzlesPage),
  },
  {
    name: "puzzle",
    path: "/puzzle/:id",
    load: () => withLearn(async () => (await import("../pages/puzzle.js")).PuzzlePage),
  },
  {
    name: "storm",
    path: "/storm",
    load: () => withLearn(async () => (await import("../pages/storm.js")).StormPage),
  },
  { name: "seek", path: "/seek/:id", load: async () => (await import("../pages/seek.js")).SeekPage },
  {
    name: "wall",
    path: "/watch",
    load: () => withStyle("wall", async () => (await import("../pages/wall.js")).WallPage),
  },
  { name: "tv", path: "/watch/tv", load: () => withStyle("wall", async () => (await import("../pages/tv.js")).TvPage) },
];

/** @type {Route} The page for an address that is none of ours. */
export const UNKNOWN = {
  name: "unknown",
  path: "",
  load: async () => {
    const problem = (await import("../pages/problem.js")).ProblemPage;
    return (/** @type {PageProps} */ props) => problem({ ...props, kind: "address" });
  },
};

/**
 * Return the route of a path and its parameters, decoded.
 * @param {string} path
 * @returns {{route: Route, params: Params}}
 */
export function match(path) {
  const parts = path.replace(/\/+$/, "").split("/");
  for (const route of ROUTES) {
    const params = paramsOf(route.path.replace(/\/+$/, "").split("/"), parts);
    if (params !== null) return { route, params };
  }
  return { route: UNKNOWN, params: {} };
}

/**
 * @param {string[]} pattern
 * @param {string[]} parts
 * @returns {Params | null}
 */
function paramsOf(pattern, parts) {
  if (pattern.length !== parts.length) return null;
  /** @type {Params} */
  const params = {};
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] ?? "";
    if (!expected.startsWith(":")) {
      if (expected !== part) return null;
      continue;
    }
    const text = decoded(part);
    if (text === null || text === "") return null;
    params[expected.slice(1)] = text;
  }
  return params;
}

/**
 * @param {string} text
 * @returns {string | null}
 */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
