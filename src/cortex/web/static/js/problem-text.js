// What went wrong, in the reader's words: the reasons that the catalogue knows, else what the server said.

import { has, t } from "./i18n.js";

export function problemText(problem) {
  if (problem.unreachable) return t("answer.not_running");
  // Of a note only its text can be too long: the other fields end where they are typed.
  if (problem.told.field === "body") return t("problem.too_large");
  const known = `problem.${problem.type}`;
  return has(known) ? t(`problem.${problem.type}`) : problem.message;
}
