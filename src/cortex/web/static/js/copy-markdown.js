// An answer as Markdown: its text with its markers, then the sources they name, with links into Cortex.

import { passageUrl } from "./cite-chip.js";

export function answerAsMarkdown(question, text, sources) {
  const lines = usedIn(text, sources).map((source) => {
    const { start, end } = source.passage;
    const url = new URL(passageUrl(source.document_id, start, end), location.href);
    return `[${source.n}]: ${url} "${source.title.replaceAll('"', "'")}"`;
  });
  return [`## ${question}`, text.trim(), lines.join("\n")].filter(Boolean).join("\n\n") + "\n";
}

// The sources that the text has a marker of.
export function usedIn(text, sources) {
  return sources.filter((source) => text.includes(`[${source.n}]`) || new RegExp(`\\[[\\d, ]*\\b${source.n}\\b[\\d, ]*\\]`).test(text));
}
