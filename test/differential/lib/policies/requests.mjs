// Requests about objects of a kind in one namespace: written, patched, scaled, deleted, by several people.
import { objectNames } from "./kinds.mjs";

const types = {
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
  strategic: "application/strategic-merge-patch+json",
};
const jane = { "impersonate-user": "jane", "impersonate-group": "developers" };

/** Draws as many requests as asked for. The first ones create the objects that the others are about. */
export function drawRequests(r, kind, namespace, count) {
  const collection = kind.collection.replace("{ns}", namespace);
  return Array.from({ length: count }, (_, index) => {
    const name = index < objectNames.length ? objectNames[index] : r.pick(objectNames);
    const step =
      index < objectNames.length ? created(r, kind, collection, name) : drawRequest(r, kind, collection, name);
    const who = r.chance(0.12) ? jane : {};
    return { ...step, headers: { "content-type": "application/json", ...step.headers, ...who } };
  });
}

const created = (r, kind, collection, name) => ({ method: "POST", path: collection, body: kind.make(r, name) });

function drawRequest(r, kind, collection, name) {
  const path = `${collection}/${name}`;
  const { metadata, spec, data, rules } = kind.make(r, name);
  const patch = JSON.parse(JSON.stringify({ metadata: { labels: metadata.labels }, spec: undefined, data, rules }));
  return r.pick([
    () => created(r, kind, collection, name),
    () => ({
      ...created(r, kind, collection, name),
      path: `${collection}?dryRun=All&fieldManager=${r.pick(["a", "b"])}`,
    }),
    () => {
      const { metadata: rest, ...object } = kind.make(r, undefined);
      return {
        method: "POST",
        path: `${collection}?dryRun=All`,
        body: { ...object, metadata: { ...rest, generateName: "gen-" } },
      };
    },
    () => ({
      method: kind.custom ? "PATCH" : "PUT",
      path,
      body: kind.make(r, name),
      ...(kind.custom && { headers: { "content-type": types.merge } }),
    }),
    () => ({
      method: kind.custom ? "PATCH" : "PUT",
      path,
      body: kind.make(r, name),
      ...(kind.custom && { headers: { "content-type": types.merge } }),
    }),
    () => ({ method: "PATCH", path, headers: { "content-type": types.merge }, body: patch }),
    () => ({
      method: "PATCH",
      path,
      headers: { "content-type": types.merge },
      body: { metadata: { labels: { env: r.pick(["prod", null]), a: r.pick(["a", null]) } } },
    }),
    () => ({
      method: "PATCH",
      path,
      headers: { "content-type": types.json },
      body: [{ op: "add", path: "/metadata/annotations", value: { env: r.pick(["prod", "b"]) } }],
    }),
    () => ({
      method: "PATCH",
      path: `${path}?fieldManager=${r.pick(["a", "b"])}&force=true`,
      headers: { "content-type": types.apply },
      body: kind.make(r, name),
    }),
    () =>
      kind.scale
        ? {
            method: "PATCH",
            path: `${path}/scale`,
            headers: { "content-type": types.merge },
            body: { spec: { replicas: r.int(6) } },
          }
        : {
            method: "PATCH",
            path,
            headers: { "content-type": types.merge },
            body: spec === undefined ? patch : { metadata: { labels: metadata.labels } },
          },
    () => ({ method: "DELETE", path: `${path}?gracePeriodSeconds=0${r.chance(0.4) ? "&dryRun=All" : ""}` }),
    () => ({ method: "DELETE", path: `${path}?gracePeriodSeconds=0` }),
    () => ({ method: "DELETE", path: `${collection}?dryRun=All&labelSelector=env%3Dprod` }),
  ])();
}
