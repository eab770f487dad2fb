// Load the looks of a review.

import { loadStyle } from "../../widgets/style.js";

await loadStyle("review.css");
