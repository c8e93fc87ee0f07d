// What is typed and not sent yet is kept on this device: a reload, a crash or a server that is away loses none of it.

const KEY = "cortex.draft";

export function keepDraft(text) {
  try {
    if (text) localStorage.setItem(KEY, text);
    else localStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing (private windows, a full disk) still asks.
  }
}

export function keptDraft() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
