// Questions to begin with, on an empty page: of the sample while it is all there is, else about the topics of the notes.

import { call } from "./api.js";
import { el } from "./dom.js";
import { langOf, t } from "./i18n.js";

const OF_SAMPLE = ["suggest.sample_1", "suggest.sample_2", "suggest.sample_3", "suggest.sample_4"];
const TOPICS = 3;

export async function suggest(root, ask) {
  try {
    const [{ sources }, { topics }] = await Promise.all([call("/api/sources"), call("/api/scopes")]);
    const held = sources.filter((source) => source.documents > 0);
    const sample = held.length > 0 && held.every((source) => source.type === "sample");
    const questions = sample ? OF_SAMPLE.map((key) => t(key)) : (held.length ? topics : []).slice(0, TOPICS).map((topic) => t("suggest.topic", { topic }));
    root.hidden = questions.length === 0;
    root.replaceChildren(...questions.map((question) => el("li", {},
      el("button", { type: "button", class: "suggestion", lang: langOf(question), on: { click: () => ask(question) } }, question))));
  } catch {
    root.replaceChildren();
  }
}
