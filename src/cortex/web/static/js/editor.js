// The editor of one note: its fields, the preview beside them, and everything that watches over them.

import { Autosave } from "./autosave.js";
import { by } from "./dom.js";
import { droppedFiles } from "./dropped-files.js";
import { EditorMode } from "./editor-mode.js";
import { EditorNotices } from "./editor-notices.js";
import { langOf, t } from "./i18n.js";
import { watchComposition } from "./ime.js";
import { NoteFields } from "./note-fields.js";
import { derivedTitle, fieldsOf, withoutHeld } from "./note-text.js";
import { SaveState } from "./save-state.js";
import { retype } from "./typing.js";

export class Editor {
  #mode = null;
  #onState;
  #title = by("note-title");
  #body = by("note-body");
  #composing = watchComposition(this.#body);
  #composingTitle = watchComposition(this.#title);
  #fields = new NoteFields(() => this.#touched());
  #notices = new EditorNotices(by("editor-notices"));
  #state = new SaveState(by("save-state"), this.#notices, () => this.#save.flush());
  #save = new Autosave({ read: () => this.read(), composing: () => this.#composing({}) || this.#composingTitle({}), tell: (state, told) => this.#told(state, told) });

  // `onState(state, note)` hears what becomes of a save.
  constructor(onState) {
    this.#onState = onState;
    this.#mode = new EditorMode(this.#body);
    by("editor").addEventListener("focusin", () => this.#start(), { once: true });
    droppedFiles(this.#body, (files) => this.#attach(files));
    for (const field of [this.#title, this.#body]) {
      field.addEventListener("input", () => this.#touched());
      field.addEventListener("compositionend", () => this.#touched());
    }
    by("editor").addEventListener("focusout", () => this.#save.note && this.#save.flush());
    this.#title.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || this.#composingTitle(event) || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.#body.focus();
    });
  }

  get note() {
    return this.#save.note;
  }

  get notices() {
    return this.#notices;
  }

  read() {
    return { title: this.#title.value.trim(), body: withoutHeld(this.#body.value), ...this.#fields.read() };
  }

  flush() {
    return this.#save.flush();
  }

  // Shows a note. `typed` is text over it that was not saved; it was written over `base`.
  open(note, { typed, base } = {}) {
    const fields = typed ?? fieldsOf(note);
    this.#write(fields);
    this.#save.open(note, base);
    if (typed) this.#save.touched();
    this.#notices.ofNote(note);
    this.#spoken();
  }

  // What was decided on after a conflict is meant to follow `current`.
  settle(current, fields) {
    this.#write(fields);
    return this.#save.settle(current);
  }

  set readOnly(on) {
    this.#title.readOnly = this.#body.readOnly = this.#fields.readOnly = on;
    by("editor").toggleAttribute("data-read-only", on);
    by("editor-tools").inert = on;
  }

  focus(place = this.#body.value.length) {
    this.#mode.write();
    this.#body.focus();
    this.#body.setSelectionRange(place, place);
  }

  #write({ title, body, ...fields }) {
    this.#title.value = title;
    // An open editor keeps its undo; a fresh one has none yet.
    if (this.#body.value) retype(this.#body, body);
    else this.#body.value = body;
    this.#fields.show(fields);
    this.#show();
  }

  #touched() {
    if (!this.#save.note) return;
    this.#show();
    this.#save.touched();
  }

  #show() {
    this.#title.placeholder = derivedTitle(this.#body.value) || t("editor.title");
    this.#mode?.show();
  }

  // The language that a text is in decides its face, so it never changes under a hand that types.
  #spoken() {
    this.#body.lang = langOf(this.#body.value);
    this.#title.lang = langOf(this.#title.value || this.#title.placeholder, this.#body.lang);
  }

  async #start() {
    const { startWriting } = await import("./writing.js");
    startWriting(this.#body, { composing: this.#composing, save: () => this.#save.flush(), read: () => this.#saveAndRead(), tagged: (name) => this.#fields.add(name) });
    by("editor").dataset.writes = "";
  }

  async #attach(files) {
    try {
      const { attachFiles } = await import("./attach.js");
      attachFiles(files, this.#body, by("attachings"), { noteId: () => this.#ensured(), composing: this.#composing });
    } catch {
      this.#notices.say("attach", t("attach.failed", { name: files[0].name, reason: t("attach.unreachable") }));
    }
  }

  async #ensured() {
    if (!this.#save.note.id) await this.#save.flush({ evenEmpty: true });
    if (!this.#save.note.id) throw this.#save.problem;
    return this.#save.note.id;
  }

  #saveAndRead() {
    this.#save.flush();
    this.#mode.toggleRead();
  }

  #told(state, told) {
    this.#state.show(state, told);
    this.#onState(state, told);
  }
}
