// The head of every page: the way home, the navigation, matches elsewhere, the player and settings.

import { html } from "../html.js";
import { roomPath } from "../models/addresses.js";
import { clockFace } from "../models/clock-face.js";
import { plural, tr } from "../texts.js";
import { Button } from "../widgets/button.js";
import { useNow } from "../widgets/clock.js";
import { Logo } from "../widgets/logo.js";
import { Menu } from "../widgets/menu.js";
import { opponentName, runningGames } from "../app/elsewhere.js";
import { AccountLinks } from "./account-links.js";
import { Strip } from "./strip.js";

/** @type {readonly [path: string, title: string, names: readonly string[]][]} */
const LINKS = [
  ["/", tr("Play"), ["lobby", "room"]],
  ["/watch", tr("Watch"), ["wall"]],
  ["/tournaments", tr("Tournaments"), ["tournaments", "tournament"]],
  ["/games", tr("Games"), ["games", "game", "records", "me"]],
  ["/ratings", tr("Ratings"), ["ratings", "player"]],
  ["/learn", tr("Learn"), ["learn", "lesson", "puzzles", "puzzle", "storm", "analysis"]],
  ["/rules", tr("Rules"), ["rules"]],
];

/** @param {{app: import("../app/app.js").App}} props */
export function Head({ app }) {
  const settings = () => (app.dialog.value = "settings");
  const me = app.me.value;
  return html`<header class="head">
    <div class="head-row">
      <a class="brand" href="/" aria-label=${tr("Doublecross, to the lobby")}>
        <${Logo} size=${30} /><span class="brand-name">Doublecross</span>
      </a>
      <div class="head-middle">
        <nav class="nav" aria-label=${tr("Pages")}><${Links} app=${app} /></nav>
        <${Strip} app=${app} />
      </div>
      <div class="head-end">
        <${Waiting} app=${app} />
        <${Elsewhere} app=${app} />
        ${me &&
        html`<span class="me-box"
          ><${Button} kind="quiet" icon="person" onPress=${settings} aria-label=${tr("You are {name}. Settings", { name: me })}>
            <span class="me" translate=${false}>${me}</span>
          <//></span>`}
        <${SoundButton} app=${app} />
        <${Button} kind="quiet" icon="gear" label=${tr("Settings")} onPress=${settings} />
        <div class="menu-box">
          <${Menu} label=${tr("Menu")} icon="menu"><${Links} app=${app} /><${AccountLinks} app=${app} /><//>
        </div>
      </div>
    </div>
  </header>`;
}

/** @param {{app: import("../app/app.js").App}} props */
function Links({ app }) {
  const here = app.route.value.name;
  return LINKS.map(
    ([path, title, names]) =>
      html`<a key=${path} href=${path} aria-current=${names.includes(here) ? "page" : undefined}>${title}</a>`,
  );
}

/** @param {{app: import("../app/app.js").App}} props */
function SoundButton({ app }) {
  const { sound } = app.settings;
  return html`<${Button}
    kind="quiet"
    class="sound-button"
    icon=${sound.value ? "sound" : "silent"}
    label=${tr("Sounds")}
    pressed=${sound.value}
    onPress=${() => (sound.value = !sound.value)}
  />`;
}

/**
 * The open offers of this player, except in the lobby, which lists them.
 * @param {{app: import("../app/app.js").App}} props
 */
function OpenOffers({ app }) {
  app.topics.of("offers").value;
  const count = app.session.offers.size;
  if (count === 0 || app.route.value.name === "lobby") return null;
  const text = plural("1 open offer", "{n} open offers", count);
  return html`<a key=${text} class="elsewhere" href="/" title=${tr("Waiting for an opponent")}>${text}</a>`;
}

/**
 * The number of games by days that wait for this player.
 * @param {{app: import("../app/app.js").App}} props
 */
function Waiting({ app }) {
  const count = app.waiting.length;
  if (count === 0) return null;
  const text = plural("1 game waits for you", "{n} games wait for you", count);
  return html`<a key=${count} class="elsewhere mine waits" href="/me" title=${text}>
    <span class="visually-hidden">${text}</span>
    <span class="waits-text" aria-hidden="true">${tr("Your turn")}</span><b class="numbers" aria-hidden="true" translate=${false}>${count}</b>
  </a>`;
}

/**
 * A match of this player that the shown page does not show, with its clock.
 * @param {{app: import("../app/app.js").App}} props
 */
function Elsewhere({ app }) {
  app.topics.of("rooms").value;
  const { name, params } = app.route.value;
  const shown = name === "room" ? (params["id"] ?? null) : null;
  const games = runningGames(app.session.rooms.values(), shown);
  const now = useNow(app, games.length > 0 ? 250 : 0);
  const [first] = games;
  if (first === undefined) return html`<${OpenOffers} app=${app} />`;
  const left = first.clock.budgetMs(now);
  const clock = left === null ? "" : clockFace(left).text;
  const mine = first.toMove === first.seat;
  const other = { name: opponentName(first) };
  const more = games.length > 1 ? ` +${games.length - 1}` : "";
  return html`<a
    class=${mine ? "elsewhere mine" : "elsewhere"}
    href=${roomPath(first.room)}
    title=${tr("Your match against {name} goes on", other)}
  >
    <span key=${`says ${mine}`} class="visually-hidden">
      ${mine ? tr("Your match against {name}: your turn. Go there", other) : tr("Your match against {name}. Go there", other)}
    </span>
    <span key=${mine} class="elsewhere-name" aria-hidden="true">${mine ? tr("Your turn") : tr("vs {name}", other)}</span>
    ${clock && html`<span class="numbers" aria-hidden="true" translate=${false}>${clock}</span>`}<span aria-hidden="true" translate=${false}>${more}</span>
  </a>`;
}
