// Load the looks that these pages share; a page that imports this file waits for them.

import { loadStyle } from "../../widgets/style.js";

await Promise.all([loadStyle("pages.css"), loadStyle("tables.css")]);
