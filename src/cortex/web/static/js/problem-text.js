// What went wrong, in the reader's words: the reasons that the catalogue knows, else what the server said.

import { has, t } from "./i18n.js";

export function problemText(problem) {
  if (problem.unreachable) return t("answer.not_running");
  const known = `problem.${problem.type}`;
  return has(known) ? t(`problem.${problem.type}`) : problem.message;
}
