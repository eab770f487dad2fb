// Load the looks of tournaments.

import { loadStyle } from "../../widgets/style.js";

await loadStyle("tournament.css");
