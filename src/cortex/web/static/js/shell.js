// What every page has: the keys, and the conversations in the rail.

import { toBoxByKey } from "./keys.js";
import { showRecent } from "./recent.js";

toBoxByKey();
showRecent();
