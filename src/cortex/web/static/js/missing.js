// Entry of the page that is shown where there is none.

import "./shell.js";
