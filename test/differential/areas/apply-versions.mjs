// Sequences of writes by three managers to custom kinds in all of their versions, which a webhook converts or which differ
// in name alone: apply, update, patches, status and scale, now and then while the webhook lies of the object. After each
// write the whole object is compared, managedFields and all, with times made equal.

import { comparable } from "../lib/comparable.mjs";
import { Random } from "../lib/random.mjs";
import { startWebhook } from "../lib/start-webhook.mjs";
import { answerReview, definitions, group, lies, versionsOf } from "../lib/version-kinds.mjs";

export const namespace = "versions-differential";
const managers = ["alice", "bob", "kubectl"];
const mediaTypes = {
  apply: "application/apply-patch+yaml",
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
};
const kinds = { sites: "Site", places: "Place", spots: "Spot" };
/** Both servers serve a new definition after this time. */
const servedWithinMs = 5_000;

export const parallel = 4;

/** Cases for a runner of differential areas. `APPLY_SEED` and `APPLY_COUNT` choose others. */
export async function* cases(...sides) {
  const { APPLY_SEED = "1", APPLY_COUNT = "1000" } = process.env;
  await prepare(sides);
  yield* sequences(Number(APPLY_SEED), Number(APPLY_COUNT));
}

/** Makes what the sequences need on each side. */
export async function prepare(sides) {
  const { url, certificatePem } = await startWebhook(answerReview);
  const headers = { "content-type": "application/json" };
  for (const { path, body } of needs(`${url}/convert`, certificatePem))
    for (const side of sides) await side.request({ method: "POST", path, headers, body: JSON.stringify(body) });
  await new Promise((resolve) => setTimeout(resolve, servedWithinMs));
}

/**
 * Returns the objects to create before the sequences; the webhook is at `url`, and its certificate is its own
 * authority.
 */
export function needs(url, certificatePem) {
  return [
    { path: "/api/v1/namespaces", body: { metadata: { name: namespace } } },
    ...definitions(url, certificatePem).map((body) => ({
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      body,
    })),
  ];
}

/** `count` sequences over all kinds in turn; of two kinds in three it is the one that a webhook converts. */
export function* sequences(seed, count) {
  const turns = ["sites", "sites", "places", "sites", "spots", "sites"];
  for (let i = 0; i < count; i++) {
    yield sequence(new Random(seed * 100_003 + i), turns[i % turns.length], `s${seed}-${i}`);
  }
}

function sequence(r, plural, id) {
  const name = `${plural}-${id}`;
  const subject = { plural, name };
  const steps = [r.chance(0.5) ? applied(r, subject) : created(r, subject)];
  const length = 3 + r.int(5);
  for (let i = 0; i < length; i++) steps.push(...write(r, subject));
  for (const version of versionsOf[plural])
    steps.push({ method: "GET", path: pathOf(subject, version), label: `get ${version}`, view: comparable });
  steps.push({ method: "DELETE", path: pathOf(subject, "v1"), quiet: true });
  return { name: `${kinds[plural]} ${id}`, steps };
}

function pathOf({ plural, name }, version, part = "") {
  return `${collectionOf(plural, version)}/${name}${part}`;
}

function collectionOf(plural, version) {
  return `/apis/${group}/${version}/namespaces/${namespace}/${plural}`;
}

const versionIn = (r, { plural }) => r.pick(versionsOf[plural]);

/** Returns a random desired object in a version. */
function wanted(r, version) {
  const spec = {};
  const items = (key) =>
    r
      .some(["a", "b", "c"])
      .map((name) => ({ [key]: name, value: r.pick(["1", "2"]), ...(r.chance(0.3) && { note: r.pick(["x", "y"]) }) }));
  if (r.chance(0.4)) spec[version === "v2" ? "hostname" : "host"] = r.pick(["h", "i"]);
  if (r.chance(0.3)) spec.port = r.pick([80, 81]);
  if (r.chance(0.4)) spec[version === "v2" ? "entries" : "items"] = items(version === "v2" ? "id" : "name");
  if (r.chance(0.3)) spec.tags = version === "v3" ? r.pick(["a", "a,b", "c"]) : r.some(["a", "b", "c"]);
  if (r.chance(0.3))
    spec.options = Object.fromEntries(r.some(["x", "y"], 0.6).map((name) => [name, r.pick(["1", "2"])]));
  if (r.chance(0.3)) Object.assign(spec, replicasIn(version, r.int(4)));
  return {
    ...(Object.keys(spec).length > 0 || r.chance(0.2) ? { spec } : {}),
    ...(r.chance(0.3) ? { metadata: { labels: { [r.pick(["l1", "l2"])]: r.pick(["1", "2"]) } } } : {}),
  };
}

function replicasIn(version, count) {
  return version === "v1" ? { replicas: count } : version === "v2" ? { size: { count } } : { scale: { wanted: count } };
}

function typed(subject, version, { metadata, ...rest }) {
  const { plural, name } = subject;
  return { apiVersion: `${group}/${version}`, kind: kinds[plural], metadata: { name, ...metadata }, ...rest };
}

function created(r, subject) {
  const version = versionIn(r, subject);
  return {
    method: "POST",
    path: `${collectionOf(subject.plural, version)}?fieldManager=${r.pick(managers)}`,
    body: typed(subject, version, wanted(r, version)),
    label: `create ${version}`,
    view: comparable,
  };
}

function applied(r, subject, part = "", body = undefined, version = versionIn(r, subject)) {
  const force = r.chance(0.4) ? "&force=true" : "";
  const dryRun = r.chance(0.05) ? "&dryRun=All" : "";
  return {
    method: "PATCH",
    path: `${pathOf(subject, version, part)}?fieldManager=${r.pick(managers)}${force}${dryRun}`,
    headers: { "content-type": mediaTypes.apply },
    body: JSON.stringify(body ?? typed(subject, version, wanted(r, version))),
    label: `apply${part} ${version}${force}`,
    view: comparable,
  };
}

function patched(r, subject, type, body, version, part = "") {
  return {
    method: "PATCH",
    path: `${pathOf(subject, version, part)}?fieldManager=${r.pick(managers)}`,
    headers: { "content-type": mediaTypes[type] },
    body: JSON.stringify(body),
    label: `${type}${part} ${version}`,
    view: comparable,
  };
}

/** Reads an object and writes it back changed. */
function updated(r, subject, version, part, change) {
  const path = pathOf(subject, version, part);
  return [
    { method: "GET", path, quiet: true, save: { object: "" } },
    {
      method: "PUT",
      path: `${path}?fieldManager=${r.pick(managers)}`,
      body: ({ object }) => ({ ...object, ...change, metadata: { ...object?.metadata, ...change.metadata } }),
      label: `update${part} ${version}`,
      view: comparable,
    },
  ];
}

function write(r, subject) {
  const version = versionIn(r, subject);
  const roll = r.next();
  if (roll < 0.5) return [applied(r, subject)];
  if (roll < 0.62) return updated(r, subject, version, "", wanted(r, version));
  if (roll < 0.72) return [patched(r, subject, "merge", wanted(r, version), version)];
  if (roll < 0.76)
    return [patched(r, subject, "json", [{ op: "add", path: "/metadata/labels", value: { j: "1" } }], version)];
  if (roll < 0.79) return [patched(r, subject, "merge", { metadata: { managedFields: [{}] } }, version)];
  if (roll < 0.86) return statusWrite(r, subject, version);
  if (roll < 0.93) return scaleWrite(r, subject, version);
  return [lie(r, subject)];
}

function statusWrite(r, subject, version) {
  const status = {
    phase: r.pick(["A", "B"]),
    ...(r.chance(0.4) && { replicas: r.int(3) }),
    ...(r.chance(0.3) && { selector: "a=b" }),
  };
  const roll = r.int(3);
  if (roll === 0) return updated(r, subject, version, "/status", { status });
  if (roll === 1) return [patched(r, subject, "merge", { status }, version, "/status")];
  return [applied(r, subject, "/status", typed(subject, version, { status }), version)];
}

/** An apply of a custom scale never works in v1.29 (docs/decisions/0018). */
function scaleWrite(r, subject, version) {
  const replicas = 1 + r.int(4);
  if (r.chance(0.5)) return [patched(r, subject, "merge", { spec: { replicas } }, version, "/scale")];
  return updated(r, subject, version, "/scale", { spec: { replicas } });
}

/**
 * Makes the webhook lie about the object from now on, or stop. Only the stored version is sure to carry the annotation.
 */
function lie(r, subject) {
  const told = r.chance(0.3) ? null : r.pick(Object.keys(lies));
  return patched(r, subject, "merge", { metadata: { annotations: { lie: told } } }, "v1");
}
