// Drawn requests about one object of a sequence: writes of every sort, deletions, and reads between them.
import { deleteOptions, deleteQuery } from "./delete-options.mjs";
import { merged } from "./merge.mjs";
import { finalizers, objectOf, ownerOf } from "./subjects.mjs";
import { view } from "./view.mjs";

const media = {
  json: "application/json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  operations: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
};

/** Returns a request. `$NAME` in its path and body stands for a saved value. */
export function send(method, path, body, type = "json") {
  const headers = body === undefined ? {} : { "content-type": media[type] };
  const text = typeof body === "function" ? (saved) => JSON.stringify(body(saved)) : body && JSON.stringify(body);
  return { method, path, headers, ...(body !== undefined && { body: text }), view };
}

/** A watch of some seconds that tells nothing: meanwhile controllers and caches of both servers catch up. */
export const quietWatch = (seconds) => ({
  ...send("GET", `/api/v1/namespaces?watch=1&timeoutSeconds=${seconds}&fieldSelector=metadata.name=none`),
  quiet: true,
});

/** A pause of a second. */
export const pause = quietWatch(1);

/** Pauses for some seconds. */
export const pauses = (seconds) => Array.from({ length: seconds }, () => pause);

/** Reads a subject, for later steps. */
export const read = ({ key, path }) => ({
  ...send("GET", path),
  quiet: true,
  save: { [`${key}live`]: "", [`${key}version`]: "metadata.resourceVersion" },
});

const dry = (r, path) => (r.chance(0.08) ? `${path}${path.includes("?") ? "&" : "?"}dryRun=All` : path);

/** Creates a subject. */
export function create(r, subject, others) {
  const { key, collection } = subject;
  const path = dry(r, collection);
  const object = objectOf(r, subject, others);
  // The name of a generated object is only known once it is there.
  if (subject.base.startsWith("$")) object.metadata = { ...object.metadata, name: undefined, generateName: "g-" };
  const step = send("POST", path, object);
  if (path !== collection) return [step];
  const saved = { uid: "metadata.uid", first: "metadata.resourceVersion", name: "metadata.name" };
  return [{ ...step, save: Object.fromEntries(Object.entries(saved).map(([name, at]) => [key + name, at])) }];
}

/** Draws a part of metadata that a write sets. */
function metadataChange(r, others) {
  return r.pick([
    () => ({ labels: { app: r.pick(["s", "t", null]) } }),
    () => ({ finalizers: r.some(finalizers, 0.3) }),
    () => ({ finalizers: r.pick([[], null]) }),
    () => ({ finalizers: r.pick([["bad name"], ["unqualified"], ["example.com/one", "example.com/one"]]) }),
    () => ({ ownerReferences: r.some(others, 0.7).map((other) => ownerOf(r, other)) }),
    () => ({ annotations: { a: r.pick(["1", "2", null]) } }),
    () => ({ deletionTimestamp: r.pick(["2024-01-01T00:00:00Z", null]) }),
    () => ({ deletionGracePeriodSeconds: r.pick([0, 5, null]) }),
    () => ({ generation: r.pick([0, 7, null]) }),
    () => ({ creationTimestamp: r.pick(["2024-01-01T00:00:00Z", null]) }),
    () => ({ generateName: "x-" }),
    () => ({ selfLink: "/x" }),
    // What an empty list does is another matter here (docs/decisions/0015-managed-fields.md).
    () => ({ managedFields: null }),
  ])();
}

/** Draws a change of an object as a merge patch. */
function changeOf(r, { kind }, others) {
  if (r.chance(0.35)) return { metadata: metadataChange(r, others) };
  const change = r.pick(kind.changes)(r);
  return r.chance(0.15) ? { ...change, metadata: metadataChange(r, others) } : change;
}

/** Draws the version and the uid of a write: as they are, of another time, another or none. */
function identity(r, { key, kind }, live) {
  if (kind.isReported) return {};
  return {
    resourceVersion: r.pick([live, live, live, undefined, undefined, `$${key}first`, "1", "x", ""]),
    uid: r.pick([undefined, undefined, undefined, undefined, `$${key}uid`, "22222222-2222-2222-2222-222222222222"]),
  };
}

/** Writes a whole object or its status by PUT: the live one with a change, or a new one if there is none. */
function put(r, subject, others, { change, subresource = "" }) {
  const { key, path } = subject;
  const fresh = objectOf(r, subject, others);
  const { resourceVersion, uid } = identity(r, subject, "live");
  const isRenamed = r.chance(0.02);
  const saved = (values, text) => (text?.startsWith("$") ? (values[text.slice(1)] ?? "1") : text);
  const body = (values) => {
    const live = values[`${key}live`];
    const object = merged(live === undefined || live.kind === "Status" ? fresh : live, change);
    const metadata = { ...object.metadata };
    if (resourceVersion !== "live") metadata.resourceVersion = saved(values, resourceVersion);
    if (uid !== undefined) metadata.uid = saved(values, uid);
    if (isRenamed) metadata.name = "other";
    return withSaved({ ...object, metadata }, values);
  };
  return [read(subject), send("PUT", dry(r, path + subresource), body)];
}

/** Returns an object with the saved values in the place of their names. */
function withSaved(object, saved) {
  return JSON.parse(JSON.stringify(object).replace(/\$(\w+)/g, (whole, name) => saved[name] ?? whole));
}

/** Changes an object or its status by a patch of one of the kinds. */
function patch(r, subject, { change, subresource = "" }) {
  const path = dry(r, subject.path + subresource);
  const { resourceVersion, uid } = r.chance(0.2) ? identity(r, subject, `$${subject.key}version`) : {};
  const metadata = {
    ...change.metadata,
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(uid && { uid }),
  };
  const whole = Object.keys(metadata).length === 0 ? change : { ...change, metadata };
  const type = r.pick(["merge", "merge", "strategic", "operations"]);
  const body = type === "operations" ? operationsOf(whole) : whole;
  return [...(resourceVersion === undefined ? [] : [read(subject)]), send("PATCH", path, body, type)];
}

function operationsOf(change) {
  return Object.entries(change).flatMap(([name, value]) =>
    value !== null &&
    typeof value === "object" &&
    !Array.isArray(value) &&
    ["spec", "metadata", "status"].includes(name)
      ? Object.entries(value).map(([member, inner]) => operation(`/${name}/${member}`, inner))
      : [operation(`/${name}`, value)],
  );
}

const operation = (path, value) => (value === null ? { op: "remove", path } : { op: "add", path, value });

/** Applies an object, a part of it, or its status. */
function apply(r, subject, others, { change, subresource = "" }) {
  const manager = r.pick(["one", "two"]);
  const force = r.pick(["", "", "&force=true"]);
  const object = r.chance(0.6) ? merged(objectOf(r, subject, others), change) : change;
  const { apiVersion, kind } = subject.kind;
  const { creationTimestamp: _, ...metadata } = { name: subject.name, ...object.metadata };
  return [
    send(
      "PATCH",
      dry(r, `${subject.path}${subresource}?fieldManager=${manager}${force}`),
      { apiVersion, kind, ...object, metadata },
      "apply",
    ),
  ];
}

/** Writes an object or its status in a drawn way. */
function write(r, subject, others) {
  const { statuses } = subject.kind;
  const isStatus = statuses !== undefined && r.chance(0.3);
  const options = isStatus
    ? { change: r.chance(0.85) ? r.pick(statuses)(r) : changeOf(r, subject, others), subresource: "/status" }
    : { change: statuses !== undefined && r.chance(0.05) ? r.pick(statuses)(r) : changeOf(r, subject, others) };
  return r.pick(
    [put, patch, patch, apply].map(
      (how) => () => (how === patch ? patch(r, subject, options) : how(r, subject, others, options)),
    ),
  )();
}

function optionsFor(r, { key, kind }) {
  const options = deleteOptions(r, key, kind.apiVersion);
  return kind.isReported && options?.preconditions !== undefined ? { ...options, preconditions: {} } : options;
}

/** Deletes a subject with drawn options. */
export function remove(r, { key, kind, path, ...subject }) {
  const options = optionsFor(r, { key, kind });
  const before = options?.preconditions === undefined ? [] : [read({ key, path, ...subject })];
  return [...before, send("DELETE", path + deleteQuery(r), options)];
}

/** Takes all finalizers away, or some, or adds one. */
function changeFinalizers(r, { path }) {
  const value = r.pick([[], [], null, [r.pick(finalizers)], r.some(finalizers, 0.4)]);
  return [send("PATCH", path, { metadata: { finalizers: value } }, "merge")];
}

function removeAll(r, { key, kind, collection, name }) {
  const selector = kind.isOfCluster
    ? `fieldSelector=metadata.name=${name}`
    : r.pick(["labelSelector=app=s", "labelSelector=app!=s", "fieldSelector=metadata.name!=x", "limit=1"]);
  const query = deleteQuery(r).replace("?", "&");
  return [send("DELETE", `${collection}?${selector}${query}`, optionsFor(r, { key, kind }))];
}

function look(r, { kind, collection, path, name }) {
  if (kind.isOfCluster)
    return [send("GET", r.chance(0.5) ? path : `${collection}?fieldSelector=metadata.name=${name}`)];
  return [
    send("GET", r.pick([path, collection, `${collection}?labelSelector=app=s`, `${collection}?labelSelector=app!=s`])),
  ];
}

function scale(r, subject) {
  const { kind, name, namespace, path } = subject;
  const replicas = r.pick([0, 1, 3, -1]);
  if (r.chance(0.5)) return [send("PATCH", dry(r, `${path}/scale`), { spec: { replicas } }, "merge")];
  const { resourceVersion } = identity(r, subject, "$live");
  const metadata = {
    name,
    namespace,
    ...(resourceVersion !== undefined && {
      resourceVersion: resourceVersion.replace("$live", `$${subject.key}version`),
    }),
  };
  const body = { apiVersion: kind.scaleVersion ?? "autoscaling/v1", kind: "Scale", metadata, spec: { replicas } };
  return [read(subject), send("PUT", dry(r, `${path}/scale`), body)];
}

/** Draws one step about a subject, with the reading that it needs before it. */
export function anyStep(r, subject, others) {
  const steps = [
    [0.4, write],
    [0.2, remove],
    [0.12, changeFinalizers],
    [0.06, removeAll],
    [0.08, create],
    [0.08, look],
    [0.06, subject.kind.hasScale ? scale : write],
  ];
  const [, draw] = r.weighted(steps, ([weight]) => weight);
  return draw(r, subject, others);
}
