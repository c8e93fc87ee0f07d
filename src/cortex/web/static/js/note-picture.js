// Pictures of a note being written: attachments are shown, everything else is named and never fetched.

import { el, icon } from "./dom.js";
import { t } from "./i18n.js";

const ATTACHED = /^\/api\/attachments\/[\w-]+(?:\?[^#]*)?$/;

export function ownImage(alt, url) {
  if (url.startsWith("attaching:")) return box(t("attach.progress", { name: alt }));
  if (!ATTACHED.test(url)) return named(alt, url);
  const image = el("img", { src: url, alt, loading: "lazy", decoding: "async" });
  image.addEventListener("error", () => image.replaceWith(box(t("document.image_missing", { name: alt || url }))), { once: true });
  return image;
}

function named(alt, url) {
  const host = /^https?:\/\/([^/?#]+)/i.exec(url)?.[1];
  if (!host) return box(t("document.image_missing", { name: alt || url }));
  const text = alt ? t("document.image_named", { host, name: alt }) : t("document.image_remote", { host });
  return box(text, el("a", { href: url, rel: "noopener noreferrer", target: "_blank" }, t("document.image_open")));
}

function box(text, link = "") {
  return el("span", { class: "no-image" }, icon("image"), el("span", {}, text), link);
}
