// What this browser keeps for Cortex: the keys' switch and what was typed and not sent.

import { by, el } from "./dom.js";
import { keptDraft } from "./draft.js";
import { t } from "./i18n.js";
import { keysAreOn, setKeys } from "./keys.js";
import { announce } from "./live-status.js";

const OURS = "cortex.";

export function deviceSettings() {
  const keys = by("keys-on");
  keys.checked = keysAreOn();
  keys.addEventListener("change", () => setKeys(keys.checked));
  const said = by("kept");
  const show = () => said.replaceChildren(keptDraft() ? t("device.kept", { text: keptDraft() }) : t("device.kept_nothing"));
  show();
  by("forget").addEventListener("click", () => {
    for (const store of [localStorage, sessionStorage]) {
      for (const key of Object.keys(store)) if (key.startsWith(OURS)) store.removeItem(key);
    }
    keys.checked = keysAreOn();
    show();
    announce(t("device.forgotten"));
    by("forget").after(el("span", { class: "muted" }, t("device.forgotten")));
    by("forget").disabled = true;
  });
}
