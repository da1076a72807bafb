// Steps of the worlds that controllers tend: writes, and the time in which the controllers of both servers settle.
import { quietWatch, send } from "../life-cycles/steps.mjs";
import { view } from "../life-cycles/view.mjs";

/** Lets the controllers settle for some seconds, on a connection of its own, so that many worlds wait at once. */
export const settle = (seconds = 3) => ({ ...quietWatch(seconds), via: "http2" });

export const makeNamespace = (name) => ({
  ...send("POST", "/api/v1/namespaces", { metadata: { name } }),
  quiet: true,
});

export const makeNode = (name) => ({ ...send("POST", "/api/v1/nodes", { metadata: { name } }), quiet: true });

export const merge = (path, body) => send("PATCH", path, body, "merge");

/** Makes an object of a subject (life-cycles/subjects.mjs). Its uid is saved as `KEYuid`. */
export function make({ kind, key, name, collection }, { metadata, ...members }) {
  const body = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name, ...metadata }, ...members };
  return { ...send("POST", collection, body), save: { [`${key}uid`]: "metadata.uid" } };
}

/** Deletes an object. Policies that would have it wait for the garbage collector are not for pods: another controller ends these. */
export function erase(r, { path, kind }) {
  const policies = kind?.kind === "Pod" ? ["Background"] : ["Background", "Foreground", "Orphan"];
  const options = r.pick([undefined, undefined, { gracePeriodSeconds: 0 }, { propagationPolicy: r.pick(policies) }]);
  return send("DELETE", path, options);
}

/** Reads a subject. */
export const look = ({ key, path }, label) => ({ ...send("GET", path), label: `${label}: ${key}` });

/**
 * The steps of a world: its objects are made at once, then each action has its time. What remains is compared after each.
 * The answers of the actions are compared as well. `readable` makes a part of objects comparable that is not so in other areas.
 */
export function world({ made, actions, looks, readable = (object) => object }) {
  const turns = actions.map((action, at) => [action, settle(), ...looks(`after ${at + 1}`)]);
  const viewed = ({ body }) => view({ body: JSON.stringify(readable(JSON.parse(body.toString()))) });
  return [...made, settle(), ...looks("made"), ...turns.flat()].map((step) => ({ ...step, view: viewed }));
}
