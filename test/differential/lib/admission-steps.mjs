// Steps of the areas about admission plugins.

/** Marks a step whose answer is not compared. */
export const quiet = (step) => ({ ...step, quiet: true });
const json = (method, path, body, type = "application/json") => ({
  method,
  path,
  body,
  headers: { "content-type": type },
});
export const post = (path, body) => json("POST", path, body);
export const put = (path, body) => json("PUT", path, body);
export const merge = (path, body) => json("PATCH", path, body, "application/merge-patch+json");
export const get = (path) => ({ method: "GET", path });
export const remove = (path) => ({ method: "DELETE", path });
export const dry = (step) => ({ ...step, path: `${step.path}?dryRun=All` });
export const namespaced = (namespace, resource) => `/api/v1/namespaces/${namespace}/${resource}`;
const pausing = new Int32Array(new SharedArrayBuffer(4));
/** A pause before the next step, in milliseconds. */
export const pause = (ms) =>
  quiet({ ...get("/api/v1/namespaces?limit=1"), body: () => void Atomics.wait(pausing, 0, 0, ms) });
/** Admission reads from caches that are behind: by moments in v1.29; a list waits for them here. */
export const settle = pause(150);
