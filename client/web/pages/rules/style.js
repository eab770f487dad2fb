// Load the looks of the rules.

import { loadStyle } from "../../widgets/style.js";

await loadStyle("rules.css");
