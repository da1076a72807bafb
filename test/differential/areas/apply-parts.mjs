// Sequences of writes by three managers to objects of all built-in kinds, each write made of parts of the object as the
// recorded rules have it: some members, some items of lists in another order or twice, some values changed, null or empty.
// Bodies are JSON, YAML, YAML with anchors, with a key given twice, or of several documents. After each write the whole
// object is compared, managedFields and all, with times made equal.

import { readFileSync } from "node:fs";
import { at, withValue } from "../lib/change.mjs";
import { comparable } from "../lib/comparable.mjs";
import { Random } from "../lib/random.mjs";

export const namespace = "recorded";
export const parallel = 4;
const managers = ["alice", "bob", "kubectl"];
const mediaTypes = {
  apply: "application/apply-patch+yaml",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
};

/** Files of the objects. They are listed by name, since other objects would give other sequences. */
const files =
  "admissionregistration apiregistration apps autoscaling batch between-fields certificates cluster-trust-bundles coordination core-data core-events core-limits core-nodes core-services core-volumes deep-values discovery flowcontrol internal metadata-order more-between-fields networking node pod-templates pods policy rbac resource scheduling storage".split(
    " ",
  );

/** Kinds whose objects controllers write, or which the server itself follows. */
const followed = new Set([
  "FlowSchema",
  "APIService",
  "PriorityLevelConfiguration",
  "Namespace",
  "Service",
  "ServiceAccount",
]);
/** Members by which items of lists are told apart, or without which nothing is accepted. */
const identifying = new Set([
  "name",
  "key",
  "type",
  "port",
  "containerPort",
  "protocol",
  "mountPath",
  "ip",
  "uid",
  "kind",
  "apiVersion",
]);

/**
 * Returns an answer without its random parts in v1.29: memory addresses, spaces of comparisons, the order of its maps.
 */
function view(answer) {
  const shown = comparable(answer);
  if (typeof shown?.message !== "string") return shown;
  return JSON.parse(
    JSON.stringify(shown, (_key, value) => {
      if (typeof value !== "string") return value;
      const text = value
        .replace(/\(0x[0-9a-f]+\)/g, "(ADDRESS)")
        .replace(/resourceVersion(\\*":\\*")\d+/g, "resourceVersion$1VERSION");
      const plain = text.replaceAll("\u00a0", " ");
      return plain.includes("errors:\n  .") ? plain.split("\n").sort().join("\n") : plain;
    }),
  );
}

/** Cases for a runner of differential areas. `APPLY_SEED` and `APPLY_COUNT` choose others, `APPLY_KIND` one kind. */
export async function* cases(...sides) {
  const { APPLY_SEED = "1", APPLY_COUNT = "2000", APPLY_KIND = "" } = process.env;
  await prepare(sides);
  yield* sequences(Number(APPLY_SEED), Number(APPLY_COUNT), APPLY_KIND);
}

/** Makes what the sequences need on each side. */
export async function prepare(sides) {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ metadata: { name: namespace } });
  await Promise.all(sides.map((side) => side.request({ method: "POST", path: "/api/v1/namespaces", headers, body })));
}

export function* sequences(seed, count, only = "") {
  const chosen = subjects().filter(({ object }) => `${object.apiVersion} ${object.kind}`.includes(only));
  for (let i = 0; i < count; i++) {
    const r = new Random(seed * 100_003 + i);
    yield sequence(r, chosen[i % chosen.length], `${seed}-${i}`);
  }
}

let known;

/** The largest objects of each kind; templates of pods have all that a pod can have. */
function subjects() {
  if (known !== undefined) return known;
  const folder = new URL("../../src/conformance/recorded-validation/", import.meta.url);
  const all = files
    .flatMap((file) => readFileSync(new URL(`${file}.jsonl`, folder), "utf8").split("\n"))
    .filter((line) => line.startsWith('{"collection"'))
    .map((line) => JSON.parse(line));
  const byKind = Map.groupBy?.(all, kindOf) ?? groupBy(all, kindOf);
  const sizeOf = ({ object }) => JSON.stringify(object).length;
  const rich = byKind.get("v1 Pod").sort((a, b) => sizeOf(b) - sizeOf(a))[0].object.spec;
  known = [...byKind.values()]
    .filter(([{ object }]) => !followed.has(object.kind))
    .flatMap((ofKind) => ofKind.sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, 2))
    .map(({ collection, object }) => ({ collection, object: withRichTemplate(object, rich) }));
  return known;
}

const kindOf = ({ object }) => `${object.apiVersion} ${object.kind}`;

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function withRichTemplate(object, rich) {
  for (const path of [["spec", "template"], ["spec", "jobTemplate", "spec", "template"], ["template"]]) {
    const template = at(object, path);
    if (template?.spec?.containers === undefined) continue;
    const { restartPolicy = "Always", volumes = [], containers } = template.spec;
    const { nodeName: _, ephemeralContainers: __, resourceClaims: ___, ...spec } = rich;
    const merged = {
      ...spec,
      restartPolicy,
      activeDeadlineSeconds: undefined,
      volumes: [...spec.volumes, ...volumes],
      containers: [...containers, ...spec.containers.filter(({ name }) => containers.every((c) => c.name !== name))],
    };
    return withValue(object, [...path, "spec"], JSON.parse(JSON.stringify(merged)));
  }
  return object;
}

function sequence(r, { collection, object }, id) {
  const name = /^[0-9:]|\.|:/.test(object.metadata.name) ? object.metadata.name : `${object.metadata.name}-${id}`;
  const subject = { collection, object, name, path: `${collection}/${name}` };
  const whole = named(subject, object);
  const steps = [
    r.chance(0.6)
      ? applied(r, subject, whole, "", r.chance(0.5) ? whole : named(subject, part(r, object, 0.85)))
      : {
          method: "POST",
          path: `${collection}?fieldManager=${r.pick(managers)}`,
          body: whole,
          label: "create",
          view,
        },
  ];
  for (let i = 3 + r.int(4); i > 0; i--) steps.push(...write(r, subject));
  steps.push({ method: "GET", path: subject.path, label: "get", view });
  steps.push({
    method: "PATCH",
    path: subject.path,
    headers: { "content-type": mediaTypes.merge },
    body: '{"metadata":{"finalizers":null}}',
    quiet: true,
  });
  steps.push({ method: "DELETE", path: `${subject.path}?gracePeriodSeconds=0`, quiet: true });
  return { name: `${object.kind} ${id}`, steps };
}

function named({ name }, { apiVersion, kind, metadata, ...rest }) {
  const { namespace: _, ...meta } = metadata ?? {};
  return { apiVersion, kind, metadata: { ...meta, name }, ...rest };
}

function write(r, subject) {
  const { object, path } = subject;
  const roll = r.next();
  const typed = { apiVersion: object.apiVersion, kind: object.kind };
  const some = () => ({ ...typed, ...part(r, withMetadata(r, object), r.pick([0.3, 0.6, 0.9])) });
  if (roll < 0.45) return [applied(r, subject, named(subject, some()))];
  if (roll < 0.55) return updated(r, subject, "", some());
  if (roll < 0.67) return [patched(r, path, r.pick(["merge", "strategic"]), withoutIdentity(some()))];
  if (roll < 0.74) return [patched(r, path, "strategic", withDirectives(r, withoutIdentity(some())))];
  if (roll < 0.82) return [patched(r, path, "json", operations(r, object))];
  if (roll < 0.92 && object.status !== undefined) return statusWrite(r, subject, typed);
  if (roll < 0.95 && object.spec?.replicas !== undefined) return scaleWrite(r, subject);
  return [applied(r, subject, named(subject, { ...typed, metadata: part(r, withMetadata(r, object), 0.5).metadata }))];
}

function withMetadata(r, object) {
  const metadata = {
    ...object.metadata,
    labels: { ...object.metadata.labels, one: r.pick(["1", "2"]), two: "2" },
    annotations: { ...object.metadata.annotations, "example.com/note": r.pick(["a", "b"]) },
    ...(r.chance(0.15) && { finalizers: ["example.com/hold"] }),
  };
  return { ...object, metadata };
}

/** Some of a value: members and items left out, now and then one changed. */
function part(r, value, keep) {
  if (Array.isArray(value)) {
    const items = r.some(value, keep).map((item) => part(r, item, keep));
    if (items.length > 0 && r.chance(0.03)) items.push(items[0]);
    return items;
  }
  if (value === null || typeof value !== "object") return r.chance(0.06) ? changed(r, value) : value;
  const members = Object.entries(value)
    .filter(([name]) => identifying.has(name) || r.chance(keep))
    .map(([name, member]) => [name, odd(r, name) ? r.pick([null, emptied(member)]) : part(r, member, keep)]);
  return Object.fromEntries(members);
}

const odd = (r, name) => !identifying.has(name) && r.chance(0.02);

function emptied(value) {
  return Array.isArray(value) ? [] : typeof value === "object" ? {} : typeof value === "string" ? "" : 0;
}

function changed(r, value) {
  if (typeof value === "number") return r.pick([value + 1, String(value), 0]);
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return value;
  if (/^\d+$/.test(value)) return r.pick([Number(value), `${value}000m`, String(Number(value) + 1)]);
  if (/^\d+m$/.test(value)) return r.pick([`0.${value.slice(0, -1).padStart(3, "0")}`, "2"]);
  if (/^\d+(Ki|Mi|Gi|Ti)$/.test(value)) return r.pick(["1024Ki", "1Gi", "2147483648"]);
  return r.pick([`${value}x`, value, ""]);
}

/** `metadata.name` is not for a patch to say. */
function withoutIdentity({ apiVersion: _, kind: __, metadata, ...rest }) {
  const { name: ___, namespace: ____, ...meta } = metadata ?? {};
  return { ...rest, metadata: meta };
}

/** Directives of strategic merge patches, at some of the places where they may stand. */
function withDirectives(r, value) {
  if (Array.isArray(value)) {
    const items = value.map((item) => withDirectives(r, item));
    if (items.length > 0 && typeof items[0] === "object" && r.chance(0.15))
      items[0] = { ...items[0], $patch: "delete" };
    if (r.chance(0.05)) items.push({ $patch: "replace" });
    return items;
  }
  if (value === null || typeof value !== "object") return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDirectives(r, member)]));
  for (const [name, member] of Object.entries(members)) {
    if (!Array.isArray(member) || member.length === 0 || !r.chance(0.15)) continue;
    const isKeyed = member.every((item) => typeof item === "object" && item !== null && item.name !== undefined);
    if (isKeyed) members[`$setElementOrder/${name}`] = [...member].reverse().map(({ name }) => ({ name }));
    else if (member.every((item) => typeof item !== "object") && r.chance(0.5))
      members[`$deleteFromPrimitiveList/${name}`] = member.slice(0, 1);
  }
  if (r.chance(0.05)) members.$patch = r.pick(["replace", "merge"]);
  if (r.chance(0.05)) members.$retainKeys = Object.keys(members).filter((name) => !name.startsWith("$"));
  return members;
}

/** Operations on places that the object has. */
function operations(r, object) {
  const places = [...placesOf(withoutIdentity(object))].filter((path) => path.length > 0);
  return Array.from({ length: 1 + r.int(3) }, () => {
    const place = r.pick(places);
    const pointer = `/${place.map((step) => String(step).replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;
    const value = part(r, at(object, place), 0.6);
    return r.pick([
      { op: "remove", path: pointer },
      { op: "replace", path: pointer, value },
      { op: "add", path: pointer, value },
      { op: "test", path: pointer, value: at(object, place) },
      { op: "copy", from: pointer, path: `${pointer}` },
    ]);
  });
}

function* placesOf(value, path = []) {
  yield path;
  if (value !== null && typeof value === "object")
    for (const key of Object.keys(value)) yield* placesOf(value[key], [...path, key]);
}

function applied(r, { path }, config, sub = "", body = config) {
  const options = `${r.chance(0.4) ? "&force=true" : ""}${r.chance(0.06) ? "&dryRun=All" : ""}${r.chance(0.1) ? `&fieldValidation=${r.pick(["Strict", "Warn", "Ignore"])}` : ""}`;
  return {
    method: "PATCH",
    path: `${path}${sub}?fieldManager=${r.pick(managers)}${options}`,
    headers: { "content-type": mediaTypes.apply },
    body: written(r, body),
    label: `apply${sub}${options}`,
    view,
  };
}

/** A document as text, in one of the forms that YAML has for it. */
function written(r, config) {
  const json = JSON.stringify(config);
  switch (r.int(12)) {
    case 0:
      return `---\n${json}\n`;
    case 1:
      return `${json}\n---\n${JSON.stringify({ kind: "Other" })}\n`;
    case 2:
      return json.replace('"metadata":{', '"metadata":{"labels":{"twice":"1"},');
    case 3:
      return json.replace('"metadata":{', '"metadata": {"annotations": &a {"anchor": "1"}, "labels": *a, ');
    case 4:
      return `# a comment\n${blockOf(config)}\n`;
    default:
      return json;
  }
}

/** YAML in block style, its leaves as JSON. */
function blockOf(value, indent = "") {
  if (value === null || typeof value !== "object" || Object.keys(value).length === 0) return JSON.stringify(value);
  const inner = `${indent}  `;
  const line = (head, member) => {
    const text = blockOf(member, inner);
    return text.startsWith("\n") ? `${head}${text}` : `${head} ${text}`;
  };
  if (Array.isArray(value)) return `\n${value.map((item) => line(`${indent}-`, item)).join("\n")}`;
  const lines = Object.entries(value).map(([name, member]) => line(`${indent}${JSON.stringify(name)}:`, member));
  return `${indent === "" ? "" : "\n"}${lines.join("\n")}`;
}

function patched(r, path, type, body, sub = "") {
  return {
    method: "PATCH",
    path: `${path}${sub}?fieldManager=${r.pick(managers)}`,
    headers: { "content-type": mediaTypes[type] },
    body: JSON.stringify(body),
    label: `${type}${sub}`,
    view,
  };
}

/** Reads an object and writes it back changed. */
function updated(r, { path }, sub, change) {
  return [
    { method: "GET", path: `${path}${sub}`, quiet: true, save: { object: "" } },
    {
      method: "PUT",
      path: `${path}${sub}?fieldManager=${r.pick(managers)}`,
      body: ({ object }) => overlay(object ?? {}, withoutIdentity(change)),
      label: `update${sub}`,
      view,
    },
  ];
}

/** Maps member by member, anything else in the place of what was there. */
function overlay(target, change) {
  const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isMap(target) || !isMap(change)) return change;
  const merged = { ...target };
  for (const [name, value] of Object.entries(change))
    merged[name] = name in target ? overlay(target[name], value) : value;
  return merged;
}

function statusWrite(r, subject, typed) {
  const { object, path } = subject;
  const status = part(r, object.status, 0.6);
  const roll = r.int(3);
  if (roll === 0) return updated(r, subject, "/status", { ...typed, status });
  if (roll === 1) return [patched(r, path, r.pick(["merge", "strategic"]), { status }, "/status")];
  return [applied(r, subject, named(subject, { ...typed, status }), "/status")];
}

function scaleWrite(r, subject) {
  const spec = { replicas: r.int(5) };
  if (r.chance(0.5)) return [patched(r, subject.path, "merge", { spec }, "/scale")];
  return [
    applied(
      r,
      subject,
      { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: subject.name }, spec },
      "/scale",
    ),
  ];
}
