// What is typed into a note and not saved yet, kept on this device: a reload, a crash or a server that is away loses none of it.

const PREFIX = "cortex.unsaved.";

// `kept` is {id, key, version, base, note, at}: the version and text that it was written over, and the text itself.
export function keepUnsaved(key, kept) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

export const isUnsaved = (name) => name.startsWith(PREFIX);

export function forgetUnsaved(key) {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // Nothing was kept.
  }
}

export function unsavedOf(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key));
  } catch {
    return null;
  }
}

export function allUnsaved() {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(PREFIX)).map((name) => unsavedOf(name.slice(PREFIX.length))).filter(Boolean);
  } catch {
    return [];
  }
}
