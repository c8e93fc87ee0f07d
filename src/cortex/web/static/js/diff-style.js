// The look of a diff, on a page that seldom has one.

import { el } from "./dom.js";

document.head.append(el("link", { rel: "stylesheet", href: "/static/css/diff.css" }));
