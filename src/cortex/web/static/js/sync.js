// Keeps this browser's copy and Cortex at one: what was written here goes out, what changed elsewhere comes in. Every page does so.

import { collectUnsaved } from "./collect-unsaved.js";
import { watchConnection } from "./connection.js";
import { copyIsOn } from "./device-hints.js";
import { offerVersion, showState } from "./device-state.js";
import { followFeed } from "./feed.js";
import { count } from "./outbox.js";
import { keepSending } from "./send-changes.js";
import { registerWorker } from "./service-worker.js";

async function start() {
  watchConnection();
  showState();
  if (!copyIsOn()) return;
  registerWorker(offerVersion);
  try {
    await collectUnsaved();
    await count();
  } catch {
    // A browser that keeps no database: notes are read and saved without a copy.
    return;
  }
  keepSending();
  followFeed();
}

start();
