// One tab writes a note. Another one that opens it may read along, until it asks for the pen.

const GRACE_MS = 1500;

export class TabLock {
  #name;
  #channel = null;
  #release = null;
  #on;

  // `on` is {held, lost, changed, flush}: the pen is here, is elsewhere, the other tab saved; `flush()` saves before the pen is given away.
  constructor(key, on) {
    this.#name = `cortex.note.${key}`;
    this.#on = on;
  }

  // Resolves with whether this tab may write. Without the browser's locks (a page without TLS) every tab may.
  async open() {
    if (!navigator.locks) return true;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.addEventListener("message", ({ data }) => this.#hear(data));
    const mine = await this.#ask({ ifAvailable: true });
    if (!mine) this.#ask({});
    return mine;
  }

  saved() {
    this.#channel?.postMessage("saved");
  }

  // "Edit here": the other tab saves first, if it still answers.
  async take() {
    const yielded = new Promise((settle) => {
      this.#channel.addEventListener("message", ({ data }) => data === "yielded" && settle());
      setTimeout(settle, GRACE_MS);
    });
    this.#channel.postMessage("yield");
    await yielded;
    await this.#ask({ steal: true });
  }

  async #hear(message) {
    if (message === "saved" && !this.#release) this.#on.changed();
    if (message !== "yield" || !this.#release) return;
    this.#on.lost();
    await this.#on.flush();
    this.#channel.postMessage("yielded");
  }

  // Resolves once it is decided; the lock is then kept as long as the tab lives, or until it is taken away.
  #ask(how) {
    return new Promise((settle) => {
      navigator.locks.request(this.#name, how, (lock) => {
        settle(lock !== null);
        if (!lock) return null;
        const waited = !how.ifAvailable;
        const kept = new Promise((release) => (this.#release = release));
        if (waited) this.#on.held();
        return kept;
      }).catch(() => {
        this.#release = null;
        this.#on.lost();
        this.#ask({});
      });
    });
  }
}
