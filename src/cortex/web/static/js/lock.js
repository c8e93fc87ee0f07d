// One tab at a time. Where the browser has no locks (a page without TLS), one at a time in this tab; sending twice does no harm.

const running = new Map();

// With `soon`, nothing is done if another tab is at it already, and null is given.
export async function exclusive(name, work, { soon = false } = {}) {
  if (navigator.locks) return navigator.locks.request(name, { ifAvailable: soon }, (lock) => (lock ? work() : null));
  if (soon && running.has(name)) return null;
  const before = running.get(name) ?? Promise.resolve();
  const mine = before.then(work, work);
  running.set(name, mine);
  try {
    return await mine;
  } finally {
    if (running.get(name) === mine) running.delete(name);
  }
}
