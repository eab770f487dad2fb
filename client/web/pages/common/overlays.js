// The switches of what a board may show in addition: chains and loops, and the heat map.

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { SettingSwitch } from "../../widgets/field.js";

const FEATURES = { keys: "C", what: tr("Chains and loops") };
const POLICY = { keys: "N", what: tr("Heat map") };

/**
 * Return their keys, for lists of shortcuts.
 * @param {{features: boolean, policy: boolean}} offers
 */
export function shownKeys({ features, policy }) {
  return [...(features ? [FEATURES] : []), ...(policy ? [POLICY] : [])];
}

/** @param {{app: import("../../app/app.js").App, features: boolean, policy: boolean}} props */
export function Overlays({ app, features, policy }) {
  const { overlay, heat } = app.settings;
  return html`${features && html`<${SettingSwitch} label=${tr("Chains and loops")} setting=${overlay} />`}
  ${policy && html`<${SettingSwitch} label=${tr("Heat map")} setting=${heat} />`}`;
}
