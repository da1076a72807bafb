// Sequences of writes by three managers, generated from a seed: apply, update, every other patch, status and scale. After
// each write the whole object is compared, managedFields and all, with times made equal.

import { comparable } from "../lib/comparable.mjs";
import { customKinds, definitions, kinds, metadata } from "../lib/kinds.mjs";
import { Random } from "../lib/random.mjs";

export const namespace = "apply-differential";
const managers = ["alice", "bob", "kubectl"];
const mediaTypes = {
  apply: "application/apply-patch+yaml",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  json: "application/json-patch+json",
};

/** Cases for a runner of differential areas. `APPLY_SEED` and `APPLY_COUNT` choose others, `APPLY_KIND` one kind. */
export async function* cases(...sides) {
  const { APPLY_SEED = "1", APPLY_COUNT = "2000", APPLY_KIND } = process.env;
  // Cases run side by side: none begins before there is a namespace.
  await prepare(sides);
  const [seed, count] = [Number(APPLY_SEED), Number(APPLY_COUNT)];
  yield* sequences(seed, count, APPLY_KIND);
  const made = definitions.map((body) => ({
    method: "POST",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    body,
    quiet: true,
  }));
  yield { name: "definitions", steps: made };
  await new Promise((resolve) => setTimeout(resolve, servedWithinMs));
  yield* sequences(seed, Math.ceil(count / 8), APPLY_KIND, customKinds);
}
export const parallel = 4;

/** Makes what the sequences need on each side. */
export async function prepare(sides) {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ metadata: { name: namespace } });
  await Promise.all(sides.map((side) => side.request({ method: "POST", path: "/api/v1/namespaces", headers, body })));
}

/** Both servers serve a new definition after this time. */
const servedWithinMs = 5_000;

/** `count` sequences over all kinds in turn. */
export function* sequences(seed, count, only, from = kinds) {
  const chosen = from.filter(({ kind }) => only === undefined || kind === only);
  for (let i = 0; i < count && chosen.length > 0; i++) {
    const random = new Random(seed * 100_003 + i);
    yield sequence(random, chosen[i % chosen.length], `s${seed}-${i}`);
  }
}

function sequence(r, kind, id) {
  const subject = subjectOf(kind, `${kind.kind.toLowerCase()}-${id}`);
  const steps = [creation(r, subject)];
  const length = 3 + r.int(4);
  for (let i = 0; i < length; i++) steps.push(...write(r, subject));
  steps.push({ method: "GET", path: subject.path, view: comparable });
  if (!kind.noDelete)
    steps.push(patch(subject, "json", [{ op: "add", path: "/metadata/finalizers", value: [] }], "cleaner", true), {
      method: "DELETE",
      path: `${subject.path}?gracePeriodSeconds=0`,
      quiet: true,
    });
  return { name: `${kind.kind} ${id}`, steps };
}

function subjectOf(kind, name) {
  const meta = kind.named?.(name) ?? { name };
  const place = (root) => `${root}${kind.cluster ? "" : `/namespaces/${namespace}`}/${kind.plural}`;
  return {
    kind,
    name,
    meta,
    collection: place(kind.root),
    path: `${place(kind.root)}/${meta.name}`,
    pathIn: (root) => `${place(root)}/${meta.name}`,
  };
}

function creation(r, subject) {
  if (r.chance(0.5)) return applied(r, subject);
  return {
    method: "POST",
    path: `${subject.collection}?fieldManager=${r.pick(managers)}`,
    body: config(r, subject),
    label: "create",
    view: comparable,
  };
}

/** An object, or what somebody wants of it: what every object has, and some of what it may have. */
function config(r, subject, version = subject.kind) {
  const { base, options } = { ...subject.kind, ...version };
  const parts = r.some([...options, ...metadata], 0.3).map((option) => option(r));
  return [base(r, subject.name), { metadata: subject.meta }, ...parts].reduce(merge, {});
}

function applied(r, subject) {
  const version = subject.kind.others !== undefined && r.chance(0.4) ? r.pick(subject.kind.others) : undefined;
  const path = version === undefined ? subject.path : subject.pathIn(version.root);
  const force = r.chance(0.35) ? "&force=true" : "";
  return {
    method: "PATCH",
    path: `${path}?fieldManager=${r.pick(managers)}${force}`,
    headers: { "content-type": mediaTypes.apply },
    body: JSON.stringify(config(r, subject, version)),
    label: `apply${force}`,
    view: comparable,
  };
}

/** A merge patch or strategic merge patch of one of the things that an object may have. */
function fragment(r, subject) {
  const { options } = subject.kind;
  return r.pick(options.length === 0 ? metadata : r.chance(0.6) ? options : metadata)(r);
}

function write(r, subject) {
  const { kind, path } = subject;
  const roll = r.next();
  const manager = r.pick(managers);
  if (roll < 0.45) return [applied(r, subject)];
  if (roll < 0.6 && !kind.controlled)
    return updated(r, subject, manager, path, (object) => merge(object, fragment(r, subject)));
  if (roll < 0.68) return [patch(subject, "merge", fragment(r, subject), manager)];
  if (roll < 0.76) return [patch(subject, kind.custom ? "merge" : "strategic", fragment(r, subject), manager)];
  if (roll < 0.82)
    return [
      patch(
        subject,
        "json",
        [{ op: "add", path: "/metadata/labels", value: { [r.pick(["j1", "l1"])]: r.pick(["1", "2"]) } }],
        manager,
      ),
    ];
  if (roll < 0.85 && !kind.controlled)
    return updated(r, subject, manager, path, (object) => withManagers(object, r.pick([null, [{}], "keep first"])));
  if (roll < 0.94 && kind.status !== undefined) return statusWrite(r, subject, manager);
  if (roll < 0.97 && kind.scaled) return scaleWrite(r, subject, manager);
  return [patch(subject, "merge", { metadata: { labels: r.chance(0.5) ? null : { l1: null } } }, manager)];
}

// No write sends an empty list of managers. v1.29 resets the managers then; Gatehouse does not (decision 0015).

/** Reads an object and writes it back changed. The change is worked out once, so that both sides get the same one. */
function updated(_r, _subject, manager, path, change) {
  const frozen = freeze(change);
  return [
    { method: "GET", path, quiet: true, save: { object: "" } },
    {
      method: "PUT",
      path: `${path}?fieldManager=${manager}`,
      body: ({ object }) => frozen(object ?? {}),
      label: "update",
      view: comparable,
    },
  ];
}

/** Draws the random parts of a change once. Returns a function that merges them into an object. */
function freeze(change) {
  const parts = change({ metadata: { managedFields: ["first", "second"] } });
  const { managedFields } = parts.metadata;
  const entries =
    JSON.stringify(managedFields) === '["first","second"]'
      ? "same"
      : JSON.stringify(managedFields) === '["first"]'
        ? "first"
        : managedFields;
  const {
    metadata: { managedFields: _drawn, ...meta },
    ...rest
  } = parts;
  return (object) => {
    const merged = merge(object, { ...rest, metadata: meta });
    if (entries === "same") return merged;
    return {
      ...merged,
      metadata: {
        ...merged.metadata,
        managedFields: entries === "first" ? firstEntry(object.metadata?.managedFields ?? []) : entries,
      },
    };
  };
}

/**
 * Returns the first entry in an order that does not depend on time: managers are listed by the second of their write,
 * then in this order.
 */
function firstEntry(entries) {
  const orderOf = ({ operation, manager, apiVersion, subresource = "" }) =>
    [operation, manager, apiVersion, subresource].join("\0");
  return [...entries].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)).slice(0, 1);
}

function withManagers(object, entries) {
  return {
    ...object,
    metadata: {
      ...object.metadata,
      managedFields: entries === "keep first" ? object.metadata.managedFields.slice(0, 1) : entries,
    },
  };
}

function statusWrite(r, subject, manager) {
  const path = `${subject.path}/status`;
  const status = subject.kind.status(r);
  switch (r.int(4)) {
    case 0:
      return updated(r, subject, manager, path, (object) => merge(object, status));
    case 1:
      return [patch({ path }, "merge", status, manager)];
    case 2:
      return [patch({ path }, subject.kind.custom ? "merge" : "strategic", status, manager)];
    default: {
      const { apiVersion, kind } = subject.kind.base(r, subject.name);
      return [
        {
          method: "PATCH",
          path: `${path}?fieldManager=${manager}${r.chance(0.5) ? "&force=true" : ""}`,
          headers: { "content-type": mediaTypes.apply },
          body: JSON.stringify({ apiVersion, kind, metadata: subject.meta, ...status }),
          label: "apply status",
          view: comparable,
        },
      ];
    }
  }
}

function scaleWrite(r, subject, manager) {
  const path = `${subject.path}/scale`;
  const replicas = r.int(5);
  if (r.chance(0.6)) return [patch({ path }, "merge", { spec: { replicas } }, manager)];
  return [
    {
      method: "PATCH",
      path: `${path}?fieldManager=${manager}${r.chance(0.5) ? "&force=true" : ""}`,
      headers: { "content-type": mediaTypes.apply },
      body: JSON.stringify({
        apiVersion: "autoscaling/v1",
        kind: "Scale",
        metadata: { name: subject.meta.name },
        spec: { replicas },
      }),
      label: "apply scale",
      view: comparable,
    },
  ];
}

function patch({ path }, type, body, manager, quiet = false) {
  return {
    method: "PATCH",
    path: `${path}?fieldManager=${manager}`,
    headers: { "content-type": mediaTypes[type] },
    body: JSON.stringify(body),
    label: type,
    quiet,
    view: comparable,
  };
}

/** Objects member by member; anything else takes the place of what was there. */
function merge(target, part) {
  if (
    typeof part !== "object" ||
    part === null ||
    Array.isArray(part) ||
    typeof target !== "object" ||
    target === null ||
    Array.isArray(target)
  )
    return part;
  const merged = { ...target };
  for (const [name, value] of Object.entries(part))
    merged[name] = Object.hasOwn(target, name) ? merge(target[name], value) : value;
  return merged;
}
