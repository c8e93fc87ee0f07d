// Two small facts about this browser that must be known before its database is open: whether notes are kept in it, and how many edits wait.

const OFF = "cortex.copy-off";
const WAITING = "cortex.waiting";

export const copyIsOn = () => "indexedDB" in window && kept(OFF) === null;
export const switchCopy = (on) => keep(OFF, on ? null : "1");

export const waitingHint = () => Number(kept(WAITING)) || 0;
export const hintWaiting = (n) => keep(WAITING, n ? String(n) : null);

function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // A browser that keeps nothing.
  }
}
