// The versions of a note, as Cortex keeps them. This device has none of them.

import { call } from "./api.js";

const at = (id, rest = "") => `/api/notes/${id}/revisions${rest}`;

export const history = async (id) => (await call(at(id))).revisions;
export const revision = (id, version) => call(at(id, `/${version}`));
export const keepRevision = (id, version, kept) => call(at(id, `/${version}`), { method: "PATCH", body: { kept } });
export const restoreRevision = (id, version, current) => call(at(id, `/${version}/restore`), { method: "POST", headers: { "If-Match": `"${current}"` } });
