// The words of a passage with the quote marked: as the note shows them, or as they were sent when the note cannot be had.

import { call } from "./api.js";
import { el } from "./dom.js";
import { noteBody } from "./note-body.js";
import { slicePoints } from "./offsets.js";
import { lightUp } from "./passage.js";

const PATIENCE_MS = 500;
const LONGEST = 400000;
const notes = new Map();

// Fills `root`. A quote whose note changed since is shown as it was quoted.
export async function fillPassage(root, source, citation) {
  const { passage } = source;
  const { start, end } = citation ?? passage;
  if (!citation?.changed) {
    const note = await Promise.race([noteOf(source.document_id), pause(PATIENCE_MS)]);
    const body = note && note.html.length < LONGEST ? el("div", { class: "prose" }, noteBody(note)) : null;
    if (body && lightUp(body, note.text, start, end).length) {
      for (const block of [...body.children]) if (!near(block, passage)) block.remove();
      return root.replaceChildren(body);
    }
  }
  root.replaceChildren(el("div", { class: "as-sent" }, asSent(passage, citation)));
}

function noteOf(id) {
  if (!notes.has(id)) notes.set(id, call(`/api/documents/${id}`).catch(() => notes.delete(id) && null));
  return notes.get(id);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms, null));
}

function near(block, { start, end }) {
  const stands = [block, ...block.querySelectorAll("[data-s]")].filter((element) => element.dataset.s !== undefined);
  return stands.some((element) => Number(element.dataset.s) < end && Number(element.dataset.e) > start);
}

// Without the marks of headings around the quote; the quote itself stays as it is written.
function asSent(passage, citation) {
  const mark = (text) => el("mark", {}, text);
  if (!citation) return [mark(passage.text.trim())];
  const [start, end] = [citation.start - passage.start, citation.end - passage.start];
  if (start < 0 || citation.end > passage.end) return [mark(citation.quote)];
  const around = (text) => text.replace(/^#{1,6}\s+/gm, "").replace(/\n{3,}/g, "\n\n");
  const length = [...passage.text].length;
  return [around(slicePoints(passage.text, 0, start)).trimStart(), mark(slicePoints(passage.text, start, end)),
    around(slicePoints(passage.text, end, length)).trimEnd()];
}
