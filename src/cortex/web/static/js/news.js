// What one part of the page tells the others, in this tab and in every other one: {changed, settled, waiting, kept, connection}.

const here = new EventTarget();
const channel = "BroadcastChannel" in window ? new BroadcastChannel("cortex") : null;
channel?.addEventListener("message", ({ data }) => dispatch(data.type, data.detail));

export function tell(type, detail) {
  dispatch(type, detail);
  channel?.postMessage({ type, detail });
}

export const tellHere = dispatch;

// Until `signal` is aborted, if there is one.
export function hear(type, listen, signal) {
  here.addEventListener(type, ({ detail }) => listen(detail), { signal });
}

function dispatch(type, detail) {
  here.dispatchEvent(new CustomEvent(type, { detail }));
}
