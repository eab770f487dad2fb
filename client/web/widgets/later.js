// A component whose module is loaded when it is first shown, such as a dialog.
//
//   const SettingsDialog = later(async () => (await import("./settings-dialog.js")).SettingsDialog);

import { useEffect, useState } from "preact/hooks";

import { html } from "../html.js";

/**
 * @param {() => Promise<(props: any) => any>} load
 * @returns {(props: any) => any}
 */
export function later(load) {
  /** @type {((props: any) => any) | null} */
  let Loaded = null;
  return function Later(props) {
    const [, again] = useState(0);
    useEffect(() => {
      if (Loaded !== null) return;
      // A failure is reported in the strip like every promise that nobody waits for.
      void load().then((component) => {
        Loaded = component;
        again(1);
      });
    }, []);
    return Loaded && html`<${Loaded} ...${props} />`;
  };
}
