// The head of every page: the way home, the navigation, matches elsewhere, the player and settings.

import { html } from "../html.js";
import { roomPath } from "../models/addresses.js";
import { Button } from "../widgets/button.js";
import { clockFace, useNow } from "../widgets/clock.js";
import { Logo } from "../widgets/logo.js";
import { Menu } from "../widgets/menu.js";
import { SettingsDialog } from "./dialogs.js";
import { opponentName, runningGames } from "../app/elsewhere.js";
import { Strip } from "./strip.js";

/** @type {readonly [path: string, title: string, names: readonly string[]][]} */
const LINKS = [
  ["/", "Play", ["lobby", "room"]],
  ["/watch", "Watch", ["wall"]],
  ["/tournaments", "Tournaments", ["tournaments", "tournament"]],
  ["/games", "Games", ["games", "game", "records"]],
  ["/ratings", "Ratings", ["ratings", "player"]],
  ["/learn", "Learn", ["learn", "lesson", "puzzles", "puzzle"]],
  ["/rules", "Rules", ["rules"]],
];

/** @param {{app: import("../app/app.js").App}} props */
export function Head({ app }) {
  const settings = () => (app.dialog.value = SettingsDialog);
  const me = app.me.value;
  return html`<header class="head">
    <div class="head-row">
      <a class="brand" href="/" aria-label="Doublecross, to the lobby">
        <${Logo} size=${30} /><span class="brand-name">Doublecross</span>
      </a>
      <div class="head-middle">
        <nav class="nav" aria-label="Pages"><${Links} app=${app} /></nav>
        <${Strip} app=${app} />
      </div>
      <div class="head-end">
        <${Elsewhere} app=${app} />
        ${me &&
        html`<span class="me-box"
          ><${Button} kind="quiet" icon="person" onPress=${settings} aria-label=${`You are ${me}. Settings`}>
            <span class="me">${me}</span>
          <//></span
        >`}
        <${SoundButton} app=${app} />
        <${Button} kind="quiet" icon="gear" label="Settings" onPress=${settings} />
        <div class="menu-box"><${Menu} label="Menu" icon="menu"><${Links} app=${app} /><//></div>
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
    label="Sounds"
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
  const text = count === 1 ? "1 open offer" : `${count} open offers`;
  return html`<a class="elsewhere" href="/" title="Waiting for an opponent">${text}</a>`;
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
  const other = opponentName(first);
  const more = games.length > 1 ? ` +${games.length - 1}` : "";
  return html`<a
    class=${mine ? "elsewhere mine" : "elsewhere"}
    href=${roomPath(first.room)}
    aria-label=${`Your match against ${other}${mine ? ": your turn" : ""}. Go there`}
    title=${`Your match against ${other} goes on`}
  >
    <span class="elsewhere-name">${mine ? "Your turn" : `vs ${other}`}</span>
    ${clock && html`<span class="numbers" aria-hidden="true">${clock}</span>`}${more}
  </a>`;
}
