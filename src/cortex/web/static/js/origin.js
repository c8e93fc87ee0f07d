// Who wrote a note, if it was not the person: a model's words are no evidence, so that is always said.

import { t } from "./i18n.js";

export function originText({ origin }) {
  return { answer: t("origin.answer"), agent: t("origin.agent"), mcp: t("origin.mcp") }[origin] ?? "";
}
