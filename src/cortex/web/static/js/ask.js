// Entry of the Ask page: the box, the turns, the stream between them.

import { answerEvents } from "./answer-stream.js";
import { CiteCard } from "./cite-card.js";
import { Composer } from "./composer.js";
import { storedConversation, replay } from "./conversation.js";
import { by } from "./dom.js";
import { t } from "./i18n.js";
import "./shell.js";
import { announce } from "./live-status.js";
import { moreBelow } from "./more-below.js";
import { offerTitles } from "./note-titles.js";
import { showRecent } from "./recent.js";
import { ScopeChoice } from "./scope-choice.js";
import { chosenScope } from "./scope.js";
import { stopAnswer } from "./stop-answer.js";
import { suggest } from "./suggestions.js";
import { Turn } from "./turn.js";
import { showUnder } from "./under-box.js";
import { rememberWayBack } from "./way-back.js";

const page = document.querySelector(".ask");
const list = by("turns");
const turns = new Map();
const watchEnd = moreBelow();
const choice = new ScopeChoice();
const composer = new Composer({ onAsk: (question) => ask(question), onStop: () => stop(), onFind: (words) => find(words) });
const closeTitles = offerTitles(by("question"), by("titles"));
const card = new CiteCard(list, cited);
let conversationId = null;
let running = null;

function ask(question, changes = {}) {
  if (running) return;
  const turn = addTurn(question, changes.scope ?? choice.scope);
  composer.remember(question);
  composer.rest();
  turn.root.scrollIntoView({ block: "start" });
  follow(turn, { ask: { question, scope: choice.scope, tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(conversationId === null ? {} : { conversation_id: conversationId }), ...changes } });
}

function addTurn(question, scope, quiet = false) {
  const turn = new Turn({ question, scope, quiet, ask });
  turns.set(turn.root, turn);
  list.hidden = false;
  page.dataset.state = "asked";
  list.append(turn.root);
  composer.placeholder = t("ask.follow_up");
  watchEnd(turn);
  return turn;
}

async function follow(turn, source) {
  const control = new AbortController();
  running = { turn, control };
  composer.streaming = true;
  try {
    for await (const event of answerEvents(source, control.signal)) {
      if (event.type === "sources") keepAddress(event.data);
      if (event.type === "error") turn.fail(event.data);
      else turn.apply(event);
    }
    if (control.signal.aborted) turn.say("answer.stopped");
  } catch (problem) {
    turn.fail(problem);
    if (!turn.answerId) composer.restore(turn.question);
  } finally {
    turn.end();
    running = null;
    composer.streaming = false;
  }
}

function keepAddress(data) {
  if (conversationId !== data.conversation_id) setTimeout(showRecent);
  conversationId = data.conversation_id;
  history.replaceState(history.state, "", choice.address(`/c/${conversationId}`));
  rememberWayBack(location.href);
}

function find(words) {
  location.assign(`/find?${new URLSearchParams({ q: words, ...(choice.scope ? { scope: choice.scope } : {}) })}`);
}

function stop() {
  if (!running) return false;
  stopAnswer(running.turn.answerId, running.control);
  return true;
}

function cited(chip) {
  const turn = turns.get(chip.closest(".turn"));
  return turn && { turn, source: turn.evidence.source(Number(chip.dataset.n)), citation: turn.citations.get(Number(chip.dataset.i)) };
}

list.addEventListener("click", (event) => {
  const link = event.target.closest(".chip, .source");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const { turn, source, citation } = cited(link);
  event.preventDefault();
  card.hide();
  turn.evidence.open(source.n, citation ?? turn.evidence.citationOf(source.n), link);
});

// Escape closes the top layer, then stops the stream; it never clears text.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing) return;
  if (closeTitles()) return by("question").focus();
  if (card.hide() || choice.closePicker()) return;
  if ([...turns.values()].some((turn) => turn.evidence.close())) return;
  stop();
});

async function reopen(id) {
  conversationId = id;
  page.dataset.state = "asked";
  announce(t("ask.opening"));
  const answers = await storedConversation(id);
  for (const answer of answers) {
    const turn = addTurn(answer.question, chosenScope(answer), true);
    composer.remember(answer.question);
    if (answer.state === "running") follow(turn, { answerId: answer.answer_id });
    else replay(turn, answer);
  }
  choice.adopt(chosenScope(answers.at(-1) ?? {}));
  rememberWayBack(location.href);
  composer.rest();
  if (scrollY === 0) list.lastElementChild?.scrollIntoView({ block: "start" });
}

showUnder(by("under"));
rememberWayBack(location.href);
const opened = /^\/c\/(\d+)$/.exec(location.pathname);
if (!opened) suggest(by("suggestions"), ask);
if (opened) reopen(Number(opened[1])).catch((problem) => composer.fail(t("answer.failed", { reason: problem.message })));
