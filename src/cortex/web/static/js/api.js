// Calls to the API. Every failure is a Problem: `status` 0 means that Cortex could not be reached.

export class Problem extends Error {
  constructor(status, { type = "", title = "", detail = "" } = {}) {
    super(detail || title || `${status}`);
    this.status = status;
    this.type = type;
  }

  get unreachable() {
    return this.status === 0;
  }
}

export async function request(path, { method = "GET", body, headers = {}, signal } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      signal,
      headers: body === undefined ? headers : { "Content-Type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0);
  }
  if (!response.ok) throw await problem(response);
  return response;
}

export async function call(path, options) {
  const response = await request(path, { ...options, headers: { Accept: "application/json" } });
  return response.status === 204 ? null : response.json();
}

async function problem(response) {
  try {
    return new Problem(response.status, await response.json());
  } catch {
    return new Problem(response.status, { title: response.statusText });
  }
}
