// The dialog for settings: the player's name, looks, sounds and the board.

import { useState } from "preact/hooks";

import { html } from "../html.js";
import { LANGUAGES, parts, tr } from "../texts.js";
import { Button } from "../widgets/button.js";
import { Choice, Select } from "../widgets/choice.js";
import { Dialog } from "../widgets/dialog.js";
import { SettingSwitch, Switch } from "../widgets/field.js";
import { NameForm } from "../widgets/name-form.js";
import { playerPath } from "../widgets/player.js";
import { AccountLinks } from "./account-links.js";
import { Away } from "./away.js";
import { allowCalls, callsAllowed } from "../app/attention.js";
import { runningGames } from "../app/elsewhere.js";
import { keep } from "../app/kept.js";

/** @typedef {{app: import("../app/app.js").App, onClose: () => void}} Props */

const THEMES = [
  { value: "auto", title: tr("As the system") },
  { value: "light", title: tr("Light") },
  { value: "dark", title: tr("Dark") },
  { value: "contrast", title: tr("High contrast") },
];
const PALETTES = [
  { value: "classic", title: tr("Red and blue") },
  { value: "safe", title: tr("Orange and blue") },
];

function languages() {
  const named = Object.entries(LANGUAGES).map(([value, title]) => ({ value, title }));
  return [{ value: "auto", title: tr("As the system") }, ...named];
}

/** @param {Props} props */
export function SettingsDialog({ app, onClose }) {
  const { theme, palette, keepColours, sound, confirmTaps, premoves, mutePhrases, rim, shortcuts } = app.settings;
  return html`<${Dialog}
    title=${tr("Settings")}
    onClose=${onClose}
    actions=${html`
      <${Button} kind="quiet" icon="keys" onPress=${() => (app.dialog.value = "shortcuts")}>
        ${tr("Shortcuts")}
      <//>
      <span class="grow"></span>
      <${Button} kind="primary" onPress=${onClose}>${tr("Done")}<//>
    `}
  >
    <${You} app=${app} onClose=${onClose} />
    <${Select}
      label=${tr("Theme")}
      value=${theme.value}
      options=${THEMES}
      onChange=${(/** @type {any} */ value) => (theme.value = value)}
    />
    <${Select}
      label=${tr("Language")}
      value=${app.settings.language.value}
      options=${languages()}
      onChange=${(/** @type {any} */ value) => {
        app.settings.language.value = value;
        keep("dialog", "settings");
        location.reload();
      }}
    />
    <${Choice}
      label=${tr("Colours of the players")}
      value=${palette.value}
      options=${PALETTES}
      onChange=${(/** @type {any} */ value) => (palette.value = value)}
    />
    <${SettingSwitch} label=${tr("Same colours in rematches")} setting=${keepColours} />
    <${Switch}
      label=${tr("Sounds")}
      checked=${sound.value}
      onChange=${(/** @type {boolean} */ on) => {
        sound.value = on;
        app.sounds.play("capture");
      }}
    />
    <${Notifications} app=${app} />
    <${Away} app=${app} />
    <${SettingSwitch}
      label=${tr("Confirm taps")}
      hint=${tr("The first tap on the board chooses a move, the second one plays it.")}
      setting=${confirmTaps}
    />
    <${SettingSwitch}
      label=${tr("Choose the next move early")}
      hint=${tr("While the opponent thinks. It is played at your turn.")}
      setting=${premoves}
    />
    <${SettingSwitch} label=${tr("Mute the phrases of opponents")} setting=${mutePhrases} />
    <${SettingSwitch} label=${tr("Letters and numbers beside boards")} setting=${rim} />
    <${SettingSwitch}
      label=${tr("Keyboard shortcuts")}
      hint=${tr("Single letters, such as ? for the list of them.")}
      setting=${shortcuts}
    />
  <//>`;
}

/**
 * A switch that asks the browser for permission, and says if it refuses.
 * @param {{app: import("../app/app.js").App}} props
 */
function Notifications({ app }) {
  const [problem, setProblem] = useState("");
  const change = async (/** @type {boolean} */ on) => {
    if (on) setProblem(await allowCalls(app, window));
    else app.settings.notify.value = false;
  };
  return html`<div>
    <${Switch}
      label=${tr("Notifications")}
      hint=${tr("While you look elsewhere: at your turn, when a match begins, and for challenges.")}
      checked=${callsAllowed(app, window)}
      onChange=${change}
    />
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  </div>`;
}

/**
 * Who the visitor is, and a way to become somebody else.
 * @param {Props} props
 */
function You({ app, onClose }) {
  const [changing, setChanging] = useState(false);
  app.topics.of("rooms").value;
  const me = app.me.value;
  const links = html`<p class="row" onClick=${onClose}><${AccountLinks} app=${app} /></p>`;
  if (!me) return links;
  const playing = runningGames(app.session.rooms.values()).length > 0;
  if (changing) {
    return html`<div class="stack tight">
      <${NameForm}
        app=${app}
        label=${tr("New name")}
        action=${tr("Use this name")}
        initial=""
        onDone=${() => {
          onClose();
          app.navigate("/");
        }}
      />
      <p class="hint">
        ${tr("You begin as a new player: ratings and games stay with {name}, and this browser forgets the key to that name.", { name: me })}
      </p>
    </div>`;
  }
  return html`<div class="stack tight">
    <div class="row apart">
      <p>
        ${parts("You are {name}", {
          name: html`<a href=${playerPath(me)} onClick=${onClose}><strong>${me}</strong></a>`,
        })}
      </p>
      ${!playing && html`<${Button} small onPress=${() => setChanging(true)}>${tr("Use another name")}<//>`}
    </div>
    ${links}
  </div>`;
}
