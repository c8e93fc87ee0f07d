// What this browser keeps for Cortex: the keys' switch and what was typed and not sent.

import { by, el } from "./dom.js";
import { keptDraft } from "./draft.js";
import { t } from "./i18n.js";
import { keysAreOn, setKeys } from "./keys.js";
import { announce } from "./live-status.js";
import { allUnsaved, isUnsaved } from "./unsaved.js";

const OURS = "cortex.";

export function deviceSettings() {
  const keys = by("keys-on");
  keys.checked = keysAreOn();
  keys.addEventListener("change", () => setKeys(keys.checked));
  const said = by("kept");
  const show = () => {
    const found = [keptDraft() && t("device.kept", { text: keptDraft() }), allUnsaved().length > 0 && t("device.kept_notes", { n: allUnsaved().length })].filter(Boolean);
    said.replaceChildren(...(found.length ? found.flatMap((line) => [line, " "]) : [t("device.kept_nothing")]));
  };
  show();
  by("forget").addEventListener("click", () => {
    for (const store of [localStorage, sessionStorage]) {
      // The only copy of what somebody wrote is not a setting.
      for (const key of Object.keys(store)) if (key.startsWith(OURS) && !isUnsaved(key)) store.removeItem(key);
    }
    keys.checked = keysAreOn();
    show();
    announce(t("device.forgotten"));
    by("forget").after(el("span", { class: "muted" }, t("device.forgotten")));
    by("forget").disabled = true;
  });
}
