// One file on its way to Cortex, with progress. (fetch does not tell how far a body has got.)

import { Problem } from "./api.js";

// `progress(share)` hears 0–1; gives what the server says of the file, or a Problem.
export function upload(url, file, { progress = () => {}, signal } = {}) {
  return new Promise((settle, refuse) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.upload.addEventListener("progress", (event) => event.lengthComputable && progress(event.loaded / event.total));
    request.addEventListener("load", () => (request.status < 300 ? settle(JSON.parse(request.responseText)) : refuse(new Problem(request.status, toldBy(request)))));
    request.addEventListener("error", () => refuse(new Problem(0)));
    request.addEventListener("abort", () => refuse(new DOMException("", "AbortError")));
    signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

function toldBy(request) {
  try {
    return JSON.parse(request.responseText);
  } catch {
    return { title: request.statusText };
  }
}
