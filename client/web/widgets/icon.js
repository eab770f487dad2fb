// Draw a small icon: <${Icon} name="copy" />. Icons are decoration; the control beside them has the name.
//
// Props: name (one of PATHS), size (in px, 20).

import { html } from "../html.js";

/** @type {Record<string, string>} The paths of 24x24 icons, drawn by their outline. */
const PATHS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 13l5 5L20 7",
  filter: "M4 6h16M7 12h10M10 18h4",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  share: "M12 15V4M8 8l4-4 4 4M5 13v7h14v-7",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  gear:
    "M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7" +
    "M10.1 5.3L10.4 2.5L13.6 2.5L13.9 5.3L15.5 5.9L17.5 4.2L19.8 6.5L18.1 8.5L18.7 10.1L21.5 10.4" +
    "L21.5 13.6L18.7 13.9L18.1 15.5L19.8 17.5L17.5 19.8L15.5 18.1L13.9 18.7L13.6 21.5L10.4 21.5L1" +
    "0.1 18.7L8.5 18.1L6.5 19.8L4.2 17.5L5.9 15.5L5.3 13.9L2.5 13.6L2.5 10.4L5.3 10.1L5.9 8.5L4.2" +
    " 6.5L6.5 4.2L8.5 5.9z",
  sound: "M4 10v4h4l5 4V6l-5 4zM17 9a4 4 0 0 1 0 6M19.5 6.5a8 8 0 0 1 0 11",
  silent: "M4 10v4h4l5 4V6l-5 4zM17 10l4 4M21 10l-4 4",
  keys: "M3 7h18v10H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c0-4 4-6 8-6s8 2 8 6",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2 20c0-4 3-6 7-6s7 2 7 6M16 4a3.5 3.5 0 0 1 0 7M18 14c2.500.8 4 3 4 6",
  bot: "M5 9h14v10H5zM12 9V5M9 5h6M9 13v2M15 13v2M2 13v3M22 13v3",
  bolt: "M13 3L5 14h6l-1 7 8-11h-6z",
  door: "M6 21V3h12v18M3 21h18M14 12h.01",
  key: "M8 16a4 4 0 1 1 3.500-6L20 10v4h-3v-2h-5.500A4 4 0 0 1 8 16M8 12h.01",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
  screen: "M3 5h18v11H3zM8 20h8",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 2",
  lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
  cup: "M7 4h10v5a5 5 0 0 1-10 0zM7 6H4c0 3 1 4 3 4M17 6h3c0 3-1 4-3 4M12 14v4M8 20h8",
  next: "M9 5l7 7-7 7",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900V15.500h7V13.900A6 6 0 0 0 12 3",
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4",
  again: "M4 12a8 8 0 0 1 14-5.300L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.300L4 15M4 20v-5h5",
  plan: "M6 3v18M6 9h7a4 4 0 0 1 4 4v2M14 13l3 3 3-3",
  chart: "M4 20V4M4 20h16M8 15l4-5 3 3 5-7",
  home: "M4 11l8-7 8 7M6 10v10h12V10",
  flag: "M5 21V4h13l-3 4 3 4H5",
};

/** @param {{name: string, size?: number}} props */
export function Icon({ name, size = 20 }) {
  return html`<svg
    class="icon"
    width=${size}
    height=${size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d=${PATHS[name] ?? ""} />
  </svg>`;
}
