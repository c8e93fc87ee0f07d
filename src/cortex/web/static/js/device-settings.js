// What this browser keeps for Cortex: a copy of the notes, the keys' switch and what was typed and not sent.

import { copySettings } from "./copy-settings.js";
import { by } from "./dom.js";
import { keptDraft } from "./draft.js";
import { forgetDevice } from "./forget-device.js";
import { t } from "./i18n.js";
import { keysAreOn, setKeys } from "./keys.js";
import { announce } from "./live-status.js";
import { allUnsaved } from "./unsaved.js";

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
  const showCopy = copySettings();
  by("forget").addEventListener("click", async () => {
    if (!(await forgetDevice())) return by("forget").focus();
    keys.checked = keysAreOn();
    show();
    showCopy();
    announce(t("device.forgotten"));
    by("forgotten").textContent = t("device.forgotten");
  });
}
