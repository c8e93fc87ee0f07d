// Saves a note by itself: a moment after the last key, or at once when asked; never while an input method composes. One save at a
// time; what could not be sent is tried again, later and later; what another place changed meanwhile is never overwritten.

import { lang } from "./i18n.js";
import { fieldsOf, sameFields } from "./note-text.js";
import * as store from "./note-store.js";
import { forgetUnsaved, keepUnsaved } from "./unsaved.js";

const [TYPING_MS, KEEP_MS] = [800, 250];
const [FIRST_MS, LAST_MS] = [1000, 30_000];
// A browser sends 64 KB for a page that is being left; a character may be three bytes.
const LEAVING = 20_000;

export class Autosave {
  #how;
  #note = null;
  #base = null;
  #sent = [];
  #busy = null;
  #held = false;
  #tries = 0;
  #timer = 0;
  #keeping = 0;
  state = "clean";
  // What went wrong with the last try; null once it is saved.
  problem = null;

  // `how.read()` gives the text as it stands, `how.composing()` whether an input method is at work; `how.tell(state, {note, problem, theirs, base, mine})` hears of clean, unsaved, saving, saved, waiting, refused, conflict, trashed.
  constructor(how) {
    this.#how = how;
    addEventListener("online", () => this.state === "waiting" && this.flush());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#leave() : this.state === "waiting" && this.flush()));
    addEventListener("pagehide", () => this.#leave());
    addEventListener("beforeunload", (event) => this.problem && this.dirty && event.preventDefault());
  }

  // From here on the text is that note's; `base` is the text that the note had when it was last the same here and there.
  open(note, base = fieldsOf(note)) {
    clearTimeout(this.#timer);
    this.#held = false;
    this.#follow(note, base);
    this.#set("clean");
  }

  get note() {
    return this.#note;
  }

  get dirty() {
    return this.#note !== null && !sameFields(this.#how.read(), this.#base);
  }

  // Something was typed, chosen or put in.
  touched() {
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => this.#keep(), KEEP_MS);
    if (this.#held || this.state === "waiting") return;
    if (this.state !== "saving" && !this.problem?.passing) this.#set(this.dirty ? "unsaved" : "clean");
    this.#later(TYPING_MS);
  }

  // Resolves once what stood there is saved, or could not be.
  async flush({ evenEmpty = false } = {}) {
    clearTimeout(this.#timer);
    while (this.#busy) await this.#busy;
    if (this.#held || !(this.dirty || evenEmpty)) return;
    if (this.#how.composing()) return this.#later(TYPING_MS);
    await (this.#busy = this.#save(this.#how.read()).finally(() => (this.#busy = null)));
  }

  // After a conflict: what stands there now is meant to follow that version.
  settle(current) {
    this.open(current);
    this.touched();
    return this.flush();
  }

  async #save(text, how) {
    // A try after one that failed is told by its outcome alone.
    if (!this.problem) this.#set("saving");
    this.#sent.push(text);
    try {
      const note = await this.#send(text, how);
      this.#accept(note, note.body === text.body ? text : fieldsOf(note));
    } catch (problem) {
      this.#failed(problem, text);
    }
  }

  #send(text, how) {
    const { id, key, version } = this.#note;
    const content = { ...text, language: lang };
    return id ? store.save(id, version, content, how) : store.create({ ...content, key }, how);
  }

  #follow(note, base) {
    this.#note = note;
    this.#base = base;
    this.#sent = [];
    this.#tries = 0;
    this.problem = null;
  }

  #accept(note, base) {
    this.#follow(note, base);
    this.#keep();
    this.#set(this.dirty ? "unsaved" : "saved");
    if (this.dirty) this.#later(TYPING_MS);
  }

  #failed(problem, mine) {
    this.problem = problem;
    this.#keep();
    const theirs = problem.told.current;
    // A save whose reply was lost did arrive; and what counted a version without a change of the text is no conflict.
    const known = theirs && [...this.#sent, this.#base].find((text) => text.body === theirs.body && (text.title === "" || text.title === theirs.title));
    if (known && !theirs.trashed_at) return this.#accept(theirs, known);
    this.#held = Boolean(theirs);
    if (theirs) return this.#set(theirs.trashed_at ? "trashed" : "conflict", { theirs, mine, base: this.#base });
    if (!problem.passing) return this.#set("refused", { problem });
    this.#set("waiting", { problem });
    this.#later(Math.min(LAST_MS, FIRST_MS * 2 ** this.#tries) * (0.75 + Math.random() / 2));
    this.#tries += 1;
  }

  #later(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), ms);
  }

  #keep() {
    clearTimeout(this.#keeping);
    const { id, key, version } = this.#note;
    if (this.dirty) keepUnsaved(key, { id, key, version, base: this.#base, note: this.#how.read(), at: new Date().toISOString() });
    else forgetUnsaved(key);
  }

  // The page may be gone at any moment: kept here first, then sent if the browser still takes it.
  #leave() {
    if (!this.#note || !this.dirty) return;
    this.#keep();
    const text = this.#how.read();
    if (!this.#busy && !this.#held && text.body.length < LEAVING) this.#busy = this.#save(text, { leaving: true }).finally(() => (this.#busy = null));
  }

  #set(state, more = {}) {
    this.state = state;
    this.#how.tell(state, { note: this.#note, ...more });
  }
}
