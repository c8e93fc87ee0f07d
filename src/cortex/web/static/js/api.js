// Calls to the API. Every failure is a Problem: `status` 0 means that Cortex could not be reached; `told` is all that it said.

export class Problem extends Error {
  constructor(status, told = {}) {
    super(told.detail || told.title || `${status}`);
    this.status = status;
    this.type = told.type ?? "";
    this.told = told;
  }

  get unreachable() {
    return this.status === 0;
  }

  // Asking again later may help.
  get passing() {
    return this.status === 0 || this.status >= 500 || [408, 425, 429].includes(this.status);
  }
}

export async function request(path, { method = "GET", body, headers = {}, signal, keepalive } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      signal,
      keepalive,
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
  const response = await request(path, { ...options, headers: { Accept: "application/json", ...options?.headers } });
  return response.status === 204 ? null : response.json();
}

async function problem(response) {
  try {
    return new Problem(response.status, await response.json());
  } catch {
    return new Problem(response.status, { title: response.statusText });
  }
}
