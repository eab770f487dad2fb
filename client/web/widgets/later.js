// A component whose module is loaded when it is first shown, such as a dialog.
//
//   const SettingsDialog = later(async () => (await import("./settings-dialog.js")).SettingsDialog);

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { html } from "../html.js";
import { tr } from "../texts.js";

/** Time before another try, in milliseconds. */
const AGAIN_MS = 3000;

/**
 * Return a component that shows the loaded one as soon as it is there. If it cannot be loaded, a
 * dialog (which has `onClose`) closes with a message; other components try again.
 * @param {() => Promise<(props: any) => any>} load
 * @returns {(props: any) => any}
 */
export function later(load) {
  // All instances wait for the same module, whichever of them has asked for it.
  const loaded = signal(/** @type {((props: any) => any) | null} */ (null));
  return function Later(props) {
    const Loaded = loaded.value;
    useEffect(() => {
      let wanted = true;
      const attempt = async () => {
        try {
          loaded.value = await load();
        } catch (error) {
          console.warn("A part of the page cannot be loaded:", error);
          if (!wanted) return;
          if (props.onClose === undefined) setTimeout(() => wanted && attempt(), AGAIN_MS);
          else {
            const sentence = tr("This could not be loaded. Try again when the server can be reached.");
            props.app.notify(sentence, { kind: "bad", key: "part" });
            props.onClose();
          }
        }
      };
      if (loaded.peek() === null) void attempt();
      return () => {
        wanted = false;
      };
    }, []);
    return Loaded && html`<${Loaded} ...${props} />`;
  };
}
