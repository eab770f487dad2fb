// Let node import modules of the browser page: node --import ./tests/node/page.mjs FILE

import { register } from "node:module";

register("./resolve.mjs", import.meta.url);
