// Sends what waits, in order, from one tab at a time, and again later where that failed. Cortex applies each change once, however often it comes.

import { call } from "./api.js";
import { isUp, look, missed, wait } from "./connection.js";
import { copyIsOn } from "./device-hints.js";
import { exclusive } from "./lock.js";
import { hear } from "./news.js";
import { sent, take } from "./outbox.js";
import { offerAgain, settle } from "./settle.js";

const LOCK = "cortex.outbox";
const REPLY_MS = 30_000;
const [FIRST_MS, LAST_MS] = [2000, 60_000];

let sending = null;
let again = false;
let tries = 0;
let timer = 0;

// Sends all that can be sent; what is put into the outbox meanwhile goes too. Never throws.
export function send() {
  clearTimeout(timer);
  again = true;
  return (sending ??= sendAll().finally(() => (sending = null)));
}

// A person wants it now: what was refused is offered once more.
export async function sendNow() {
  await offerAgain();
  return send();
}

// From now on, whenever Cortex is there.
export function keepSending() {
  hear("connection", ({ up }) => up && send());
  // What was tried may have arrived, and is written on in a change of its own: so nothing is tried where nobody is.
  look().then((up) => up && send());
}

// Resolves with {change, result} once Cortex has answered the change; with null once it is known that it cannot be reached, or after `patience`.
export function answerTo(isMine, patience) {
  return new Promise((settle) => {
    const stop = (found) => {
      clearTimeout(late);
      off.abort();
      settle(found);
    };
    const off = new AbortController();
    const late = setTimeout(() => stop(null), patience);
    hear("settled", (each) => isMine(each.change) && stop(each), off.signal);
    hear("connection", ({ up }) => !up && stop(null), off.signal);
    if (!isUp()) stop(null);
  });
}

async function sendAll() {
  try {
    while (again) {
      again = false;
      while (await exclusive(LOCK, sendSome)) tries = 0;
    }
  } catch (problem) {
    failed(problem);
  }
}

// Gives whether there may be more.
async function sendSome() {
  if (!isUp() || !copyIsOn()) return false;
  const batch = await take();
  if (batch.length === 0) return false;
  const results = batch[0].op === "attach" ? [await sendFile(batch[0])] : await sendBatch(batch);
  return (await settle(batch, results)).length > 0;
}

async function sendBatch(batch, how) {
  try {
    return (await call("/api/changes", { method: "POST", body: { changes: batch.map((change) => sent(change, how)) }, signal: AbortSignal.timeout(REPLY_MS) })).results;
  } catch (problem) {
    if (problem.status !== 413) throw problem;
    // Too much at once: one by one, then without the text that it was written over (Cortex has that too), then never.
    if (batch.length > 1) return sendBatch(batch.slice(0, 1));
    return how ? [refusal(batch[0], problem)] : sendBatch(batch, { lean: true });
  }
}

async function sendFile(change) {
  if (!change.blob) return refusal(change, { message: "", type: "not_found" });
  const { upload } = await import("./upload.js");
  const asked = new URLSearchParams({ name: change.name, hash: change.hash });
  try {
    await upload(`/api/notes/${change.id}/attachments?${asked}`, new Blob([change.blob], { type: change.type }));
    return { change_id: change.change_id, outcome: "applied" };
  } catch (problem) {
    if (problem.passing) throw problem;
    return refusal(change, problem);
  }
}

const refusal = ({ change_id: id }, { type, message, status }) => ({ change_id: id, outcome: "rejected", problem: { type, status, detail: message } });

function failed(problem) {
  // The database here cannot be read: nothing is known to wait.
  if (problem.reason) return;
  missed();
  timer = setTimeout(send, wait(tries, FIRST_MS, LAST_MS));
  tries += 1;
}
