// Files that are pasted into a note, dropped on it, or chosen.

import { by } from "./dom.js";

// `take(files)` gets them.
export function droppedFiles(field, take) {
  const given = (event, data) => {
    const files = [...(data?.files ?? [])];
    if (files.length === 0 || field.readOnly) return;
    event.preventDefault();
    take(files);
  };
  field.addEventListener("paste", (event) => {
    // A table copied from a spreadsheet brings a picture of itself along: its words are meant.
    const wordsToo = ["text/plain", "text/html"].every((kind) => event.clipboardData.types.includes(kind));
    if (!wordsToo) given(event, event.clipboardData);
  });
  const pane = field.closest(".editor");
  pane.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files") || field.readOnly) return;
    event.preventDefault();
    pane.dataset.dropping = "";
  });
  for (const end of ["dragleave", "drop", "dragend"]) pane.addEventListener(end, () => delete pane.dataset.dropping);
  pane.addEventListener("drop", (event) => given(event, event.dataTransfer));
  by("attach").addEventListener("click", () => by("attach-file").click());
  by("attach-file").addEventListener("change", (event) => {
    given(event, by("attach-file"));
    by("attach-file").value = "";
  });
}
