// What every page has: the keys, the conversations in the rail, and, once it stands there, what this device keeps.

import { toBoxByKey } from "./keys.js";
import { showRecent } from "./recent.js";

toBoxByKey();
showRecent();

const idle = window.requestIdleCallback ?? setTimeout;
addEventListener("load", () => idle(() => import("./sync.js")));
