// The images of a note: its own ones, attached or from its folder, by us; one from elsewhere is named, and fetched only by whoever opens it.

import { el, icon } from "./dom.js";
import { t } from "./i18n.js";

const ATTACHED = /^\/api\/attachments\/[0-9a-f]{64}(?:\?name=|$)/;

// `place` is the span that stands for the image; it says where it is by data-path, or by data-host and data-src.
export function noteImage(place, documentId) {
  const { path, host, src } = place.dataset;
  return path === undefined ? elsewhere(place.textContent, host, src) : own(place.textContent, path, documentId);
}

function own(alt, path, documentId) {
  const name = alt || path.split("/").at(-1);
  const src = ATTACHED.test(path) ? path : `/api/documents/${documentId}/files/${encodeURIComponent(path)}`;
  const image = el("img", { src, alt: name, loading: "lazy", decoding: "async" });
  image.addEventListener("error", () => image.replaceWith(box(t("document.image_missing", { name }))), { once: true });
  return image;
}

function elsewhere(alt, host, src) {
  const link = /^https?:\/\//i.test(src ?? "") ? el("a", { href: src, rel: "noopener noreferrer", target: "_blank" }, t("document.image_open")) : "";
  return box(alt ? t("document.image_named", { host, name: alt }) : t("document.image_remote", { host }), link);
}

function box(text, link = "") {
  return el("span", { class: "no-image" }, icon("image"), el("span", {}, text), link);
}
