// Saves a note by itself: a moment after the last key, or at once when asked; never while an input method composes. One save at a time; what
// could not be sent is tried again, later and later; what another place changed meanwhile is never overwritten. Where this device keeps
// edits (see note-store.js) a save is done once it is kept: what Cortex makes of it is heard by answered-edits.js.

import { arrived, fieldsOf, sameFields } from "./note-text.js";
import * as store from "./note-store.js";
import { forgetUnsaved, keepUnsaved } from "./unsaved.js";

const [TYPING_MS, KEEP_MS, FIRST_MS, LAST_MS] = [800, 250, 1000, 30_000];

export class Autosave {
  // The note that the text belongs to, and the text that it had when it was last the same here and there.
  note = null;
  base = null;
  // `held`: nothing is saved before a person has decided. `waits`: something is kept here that Cortex has not got. `newer.show()` tries again to
  // show a version that came while a hand was on the text.
  held = false;
  waits = false;
  newer = null;
  state = "clean";
  // What went wrong with the last try, null once it is saved; `busy` is the try that is under way.
  problem = null;
  busy = null;
  #how;
  #sent = [];
  #tries = 0;
  #timer;
  #keeping;

  // `how.read()` gives the text as it stands, `how.write(fields)` puts another in its place, `how.composing()` says whether an input method is at work; `how.tell(state, {note, problem, theirs, base, mine, copy, outcome})` hears of clean, unsaved, saving, kept, saved, waiting, refused, conflict, trashed.
  constructor(how) {
    this.#how = how;
    this.write = how.write;
    import("./leaving.js").then(({ watchLeaving }) => watchLeaving(this, (text, leaving) => this.#begin(text, leaving)));
  }

  // From here on the text is that note's.
  open(note, base = fieldsOf(note)) {
    clearTimeout(this.#timer);
    Object.assign(this, { held: false, waits: Boolean(note.waiting) });
    this.#follow(note, base);
    this.set(this.waits ? "kept" : "clean");
  }

  get dirty() {
    return this.note !== null && !sameFields(this.text, this.base);
  }

  get text() {
    return this.#how.read();
  }

  get composing() {
    return this.#how.composing();
  }

  // Something was typed, chosen or put in.
  touched() {
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => this.keep(), KEEP_MS);
    if (this.held || this.state === "waiting") return;
    if (this.newer && !this.dirty) return this.newer.show();
    if (this.state !== "saving" && !this.problem?.passing) this.set(this.dirty ? "unsaved" : this.waits ? "kept" : "clean");
    this.#later(TYPING_MS);
  }

  // Resolves once what stood there is saved, or could not be.
  async flush({ evenEmpty = false } = {}) {
    clearTimeout(this.#timer);
    while (this.busy) await this.busy;
    if (this.held || !(this.dirty || evenEmpty)) return;
    if (this.composing) return this.#later(TYPING_MS);
    await this.#begin(this.text);
  }

  // After a conflict: what stands there now is meant to follow that version.
  settle(current) {
    this.open(current);
    this.touched();
    return this.flush();
  }

  // The note has that text now, here and there.
  accept(note, base, outcome) {
    this.#follow(note, base);
    this.keep();
    this.set(this.dirty ? "unsaved" : this.waits ? "kept" : "saved", { outcome });
    if (this.dirty) this.#later(TYPING_MS);
  }

  // Two versions: nothing is saved until a person has said which, and what stands here is not unsaved.
  hold(note, told) {
    this.held = true;
    this.#follow(note, this.text);
    this.keep();
    this.set("conflict", told);
  }

  keep(changeId) {
    clearTimeout(this.#keeping);
    const { id, key, version } = this.note;
    if (this.dirty) keepUnsaved(key, { id, key, version, base: this.base, note: this.text, at: new Date().toISOString(), changeId });
    else forgetUnsaved(key);
  }

  #begin(text, how) {
    return (this.busy = this.#save(text, how).finally(() => (this.busy = null)));
  }

  async #save(text, how) {
    // A try after one that failed is told by its outcome alone.
    if (!this.problem) this.set("saving");
    this.#sent.push(text);
    try {
      const { note, kept } = await store.save(this.note, text, { ...how, from: this.base });
      this.waits = Boolean(kept);
      this.accept(note, kept || note.body === text.body ? text : fieldsOf(note));
    } catch (problem) {
      this.#failed(problem, text);
    }
  }

  #follow(note, base) {
    Object.assign(this, { note, base, problem: null, newer: null });
    this.#sent = [];
    this.#tries = 0;
  }

  #failed(problem, mine) {
    this.keep();
    const theirs = problem.told.current;
    const known = theirs && arrived([...this.#sent, this.base], theirs);
    if (known) return this.accept(theirs, known);
    Object.assign(this, { held: Boolean(theirs), problem });
    if (theirs) return this.set(theirs.trashed_at ? "trashed" : "conflict", { theirs, mine, base: this.base });
    if (!problem.passing) return this.set("refused", { problem });
    this.set("waiting", { problem });
    this.#later(Math.min(LAST_MS, FIRST_MS * 2 ** this.#tries++) * (0.75 + Math.random() / 2));
  }

  #later(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), ms);
  }

  set(state, more = {}) {
    this.state = state;
    this.#how.tell(state, { note: this.note, ...more });
  }
}
