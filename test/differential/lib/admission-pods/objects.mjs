// Requests and objects that the parts of the area `admission-pods` share.
import { view } from "./view.mjs";

export const group = (path, name) => `/apis/${path}/${name}`;
export const inNamespace = (namespace, resource, api = "/api/v1") => `${api}/namespaces/${namespace}/${resource}`;

const json = { "content-type": "application/json" };

export const send = (method, path, body, more = {}) => ({
  method,
  path,
  body,
  view,
  ...more,
  headers: { ...json, ...more.headers },
});
export const post = (path, body, more) => send("POST", path, body, more);
export const put = (path, body, more) => send("PUT", path, body, more);
export const merge = (path, body, more) =>
  send("PATCH", path, body, { ...more, headers: { "content-type": "application/merge-patch+json" } });
export const quiet = (step) => ({ ...step, quiet: true });
/** A create that leaves nothing behind. */
export const tryOut = (path, body) => post(`${path}?dryRun=All`, body);

export const one = (name, ...steps) => ({ name, steps });

export function namespace(name, metadata = {}) {
  return quiet(post("/api/v1/namespaces", { metadata: { name, ...metadata } }));
}

export function pod(name, spec = {}, metadata = {}) {
  const { containers = [{ name: "c", image: "i" }], ...rest } = spec;
  return { apiVersion: "v1", kind: "Pod", metadata: { name, ...metadata }, spec: { ...rest, containers } };
}
