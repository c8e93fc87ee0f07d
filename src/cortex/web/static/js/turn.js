// One question and what came of it. It takes the events of the stream, live or from what was kept.

import { AnswerWriter } from "./answer-writer.js";
import { answerFoot } from "./answer-foot.js";
import { citeChip, unsourcedMark, updateChip } from "./cite-chip.js";
import { dateText } from "./dates.js";
import { el } from "./dom.js";
import { Evidence } from "./evidence.js";
import { lang, langOf, t } from "./i18n.js";
import { announce } from "./live-status.js";
import { refusalView } from "./refusal.js";
import { scopeChip } from "./scope-chips.js";
import { formatTerm, parseScope } from "./scope.js";

export class Turn {
  evidence = new Evidence();
  citations = new Map();
  answerId = null;
  #chips = new Map();
  #terms;
  #facts = {};
  #scopeLine = el("div", { class: "pills turn-scope" });
  #read = el("p", { class: "muted turn-read" });
  #state = el("p", { class: "muted turn-state" }, t("ask.searching"));
  #answer = el("div", { class: "answer prose", "aria-busy": "true" });
  #notice = el("div", { class: "turn-notice" });
  #foot = el("div", { class: "turn-foot" });
  endMark = el("div", { class: "turn-end" });
  #writer;
  #ask;

  // `ask(question, changes)` asks again, e.g. with another scope.
  constructor({ question, scope, ask, quiet = false }) {
    Object.assign(this, { question, scope, quiet });
    this.#ask = ask;
    this.#terms = parseScope(scope);
    this.#drawScope(this.#terms.map((term) => ({ term })));
    this.evidence.citationOf = (n) => [...this.citations.values()].find((citation) => citation.n === n && citation.verified !== false);
    this.#writer = new AnswerWriter(this.#answer, {
      makeChip: (i, n) => this.#chip(i, n),
      allowed: (url) => this.evidence.sources.some((source) => source.url === url || source.passage.text.includes(url)),
    });
    this.root = el("li", { class: "turn" },
      el("header", { class: "turn-head" }, el("h2", { class: "question", lang: langOf(question) }, question), this.#scopeLine, this.#read),
      this.evidence.root,
      el("div", { class: "turn-body" }, this.#state, this.#answer, this.#notice, this.#foot, this.endMark));
  }

  apply({ type, data }) {
    if (type !== "reconnecting") this.#notice.replaceChildren();
    if (type === "sources") this.#sources(data);
    else if (type === "delta") this.#write(data.text);
    else if (type === "citation") this.#cite(data);
    else if (type === "done") this.#done(data);
    else if (type === "reconnecting") this.say("answer.reconnecting", {}, "warn");
  }

  // A line below the answer; with `button` a way on: {name, act}.
  say(key, values = {}, kind = "", button = null) {
    this.#notice.replaceChildren(el("p", { class: `notice ${kind}`, role: "status" }, t(key, values),
      button && el("button", { type: "button", class: "button", on: { click: button.act } }, t(button.name))));
  }

  // A problem, of the stream or before it.
  fail(problem) {
    const retry = { name: "ask.try_again", act: () => this.#ask(this.question, { scope: this.scope }) };
    if (problem.unreachable && !this.answerId) this.say("answer.not_running", {}, "danger", retry);
    else if (problem.unreachable || problem.type === "interrupted" || problem.status === 404) this.say("answer.interrupted", {}, "warn", retry);
    else this.say("answer.failed", { reason: problem.detail || problem.title || problem.message }, "danger", retry);
    announce(this.#notice.textContent);
  }

  // The stream is over, for whatever reason: what arrived stays.
  end() {
    if (!this.#answer.hasAttribute("aria-busy")) return;
    this.#state.textContent = "";
    // No room is kept for what will not come.
    if (!this.evidence.sources.length) this.evidence.hide();
    if (!this.#writer.text) this.#state.remove();
    this.#writer.end();
    this.#answer.removeAttribute("aria-busy");
  }

  #sources(data) {
    this.#facts = data;
    this.answerId = data.answer_id;
    this.lookedIn = data.scope ?? this.scope;
    const guessed = (data.scope_terms ?? []).map((term) => ({
      term: { ...parseScope(term.term)[0], label: lang === "zh" ? term.label_zh : term.label_en }, inferred: term.inferred }));
    if (guessed.length) {
      this.#terms = guessed.map(({ term }) => term);
      this.#drawScope(guessed);
    }
    if (data.coverage === "none") {
      // Nothing will be cited: no room is kept for cards, nor for a line above the one sentence.
      this.evidence.sources = data.sources;
      this.evidence.hide();
      this.#state.remove();
      return;
    }
    if (data.in_scope > data.read) this.#read.textContent = t("sources.read", { k: data.read, n: data.in_scope });
    if (data.sources.length === 0) return this.evidence.hide();
    this.evidence.show(data.sources);
    if (!this.quiet) announce(t("sources.heading", { n: data.sources.length }));
  }

  #write(text) {
    this.#state.textContent = t("ask.answering");
    this.#writer.write(text);
  }

  #drawScope(chips) {
    const again = () => this.#ask(this.question, { scope: this.scope, times: "off" });
    this.#scopeLine.replaceChildren(...chips.map(({ term, inferred }) => scopeChip(term, { inferred, onRemove: inferred ? again : undefined })));
  }

  #chip(i, n) {
    const source = this.evidence.source(n);
    const citation = this.citations.get(i);
    if (!source) return null;
    if (citation && !citation.verified) return unsourcedMark();
    if (!this.#chips.has(i)) this.#chips.set(i, citeChip(i, n, source, citation));
    return this.#chips.get(i);
  }

  #cite(citation) {
    this.citations.set(citation.i, citation);
    const chip = this.#chips.get(citation.i);
    if (!citation.verified) this.#writer.rewrite(citation.i);
    else if (chip) updateChip(chip, this.evidence.source(Number(chip.dataset.n)), citation);
  }

  #done(data) {
    this.end();
    if (!this.quiet) announce(t(data.refused ? "answer.not_found" : "answer.ready"));
    if (data.stopped) this.say("answer.stopped");
    if (data.cached) this.say("answer.cached", { date: dateText(data.cached_at ?? new Date().toISOString()) }, "", {
      name: "answer.ask_again", act: () => this.#ask(this.question, { scope: this.scope, fresh: true }) });
    if (data.refused) {
      this.evidence.hide();
      this.#foot.replaceChildren(refusalView({ terms: this.#terms, inScope: this.#facts.in_scope, sources: this.evidence.sources, unread: data.unread,
        onAskNote: (source) => this.#ask(this.question, { scope: formatTerm({ kind: "note", name: String(source.document_id) }) }),
        onSearchAll: () => this.#ask(this.question, { scope: "", times: "off" }) }));
      return;
    }
    if (!data.sent?.provider && this.#writer.text) this.#state.textContent = t("answer.own_words");
    this.evidence.settle();
    this.#foot.replaceChildren(...answerFoot({ turn: this, text: this.#writer.text, done: data, weak: this.#facts.coverage === "weak" }));
  }
}
