// Load the looks of the wall.

import { loadStyle } from "../../widgets/style.js";

await loadStyle("wall.css");
