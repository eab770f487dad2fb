// Load the looks of these pages; a page that imports this file waits for them.

import { loadStyle } from "../../widgets/style.js";

await loadStyle("pages.css");
