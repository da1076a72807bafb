// Requests of the area `webhook-reviews` drawn for one resource: every verb, in several forms, by drawn users.
import { protobufOf, yamlOf } from "../audit-events/bodies.mjs";
import { drawAllowance, drawAnswer } from "./answers.mjs";
import { tiers } from "./configurations.mjs";
import { apiVersionOf, collectionOf, kinds, versionsOf } from "./kinds.mjs";

const patchTypes = {
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

/** Returns the requests that create the objects `a`, `b` and `c` of a case. A case is `{ key, resource, user }`. */
export function objectsOf(r, subject) {
  return ["a", "b", "c"].map((name) => {
    const version = versionsOf(kinds[subject.resource])[0];
    return {
      method: "POST",
      path: collectionOf(subject.resource, version, subject.key),
      body: objectOf(r, subject, name, version),
    };
  });
}

/** Draws the steps of a request, each with `answers`: a function of the name of a webhook and the number of its call. */
export function drawRequest(r, subject, webhooks, nth) {
  const { parts = [] } = kinds[subject.resource];
  const draw = r.pick([
    ...[created, created, created, updated, updated, patched, patched, patched, patched, deleted],
    ...(r.chance(0.3) ? [deletedCollection] : []),
    ...(parts.length > 0 ? [ofPart, ofPart, ofPart] : []),
  ]);
  const steps = draw(r, subject, nth);
  const headers = userHeaders(r, subject);
  const last = steps.at(-1);
  Object.assign(last, { headers: { ...last.headers, ...headers }, answers: drawAnswers(r, subject, webhooks) });
  return steps;
}

/**
 * Draws the answers of webhooks to a request. At most one of the validating ones refuses or fails: they are asked at once, and v1.29 tells
 * of any.
 */
function drawAnswers(r, { resource }, webhooks) {
  const isTold = ({ type, isOdd }) => type === "Validating" && isOdd;
  const odd = webhooks.some(isTold) ? undefined : r.pick(webhooks.filter(({ type }) => type === "Validating"))?.name;
  const drawn = new Map(
    webhooks.map(({ name, type }) => {
      const isFree = type === "Mutating" ? r.chance(0.75) : name === odd && r.chance(0.6);
      return [name, [0, 1].map(() => (isFree ? drawAnswer(r, type, resource) : drawAllowance(r)))];
    }),
  );
  return (name, count) => drawn.get(name)?.[count % 2];
}

function userHeaders(r, { user }) {
  return {
    "impersonate-user": user,
    "impersonate-group": ["system:masters", ...(r.chance(0.4) ? ["one", 'odd "group"'] : [])],
    ...(r.chance(0.2) && { "impersonate-uid": "uid 7" }),
    ...(r.chance(0.2) && { "impersonate-extra-scopes": ["b", "a"], "impersonate-extra-example.com%2fodd%20key": "é" }),
    ...(r.chance(0.1) && { "user-agent": r.pick(["kubectl/v1.29.0", "odd agent", ""]) }),
  };
}

function nameOf({ key, resource }, name) {
  return kinds[resource].isCluster ? `${key}-${name}` : name;
}

function metadataOf(r, { key, resource }, name) {
  const labels = { ...(kinds[resource].isCluster && { case: key }), ...(r.chance(0.6) && { tier: r.pick(tiers) }) };
  return { ...name, ...(Object.keys(labels).length > 0 && { labels }) };
}

function objectOf(r, subject, name, version, generated = false) {
  const kind = kinds[subject.resource];
  const full = nameOf(subject, name);
  return {
    apiVersion: apiVersionOf(kind, version),
    kind: kind.kind,
    metadata: metadataOf(r, subject, generated ? { generateName: `${full}-gen-` } : { name: full }),
    ...kind.object(r, version),
  };
}

const versionIn = (r, { resource }) => r.pick(versionsOf(kinds[resource]));
const existing = (r, subject) => nameOf(subject, r.chance(0.95) ? r.pick(["a", "b", "c"]) : "none");

function query(r, more = []) {
  const members = [
    ...(r.chance(0.3) ? [`fieldManager=${r.pick(["alice", "odd%20one"])}`] : []),
    ...(r.chance(0.25) ? ["dryRun=All"] : []),
    ...(r.chance(0.15) ? [`fieldValidation=${r.pick(["Strict", "Warn", "Ignore"])}`] : []),
    ...more,
  ];
  return members.length === 0 ? "" : `?${members.join("&")}`;
}

function created(r, subject, nth) {
  const version = versionIn(r, subject);
  const body = objectOf(r, subject, r.chance(0.05) ? "a" : `n${nth}`, version, r.chance(0.2));
  if (r.chance(0.1)) body.metadata.namespace = r.pick([subject.key, "default"]);
  if (r.chance(0.05)) body.unknown = 1;
  const form = r.pick(["json", "json", "yaml", ...(subject.resource === "configmaps" ? ["protobuf"] : [])]);
  return [
    {
      method: "POST",
      path: `${collectionOf(subject.resource, version, subject.key)}${query(r)}`,
      label: `create ${form} ${version}`,
      ...(form === "yaml" && { body: yamlOf(body), headers: { "content-type": "application/yaml" } }),
      ...(form === "protobuf" && {
        body: protobufOf(body),
        headers: { "content-type": "application/vnd.kubernetes.protobuf" },
      }),
      ...(form === "json" && { body }),
    },
  ];
}

/** Reads an object and writes it back changed, or writes one that was never read. */
function updated(r, subject) {
  const version = versionIn(r, subject);
  const name = existing(r, subject);
  const path = `${collectionOf(subject.resource, version, subject.key)}/${name}`;
  return written(r, subject, path, version, kinds[subject.resource].change(r), "update");
}

function written(r, subject, path, version, change, label) {
  const labels = r.chance(0.4) ? { tier: r.pick(tiers) } : undefined;
  const isStale = r.chance(0.1);
  const own = kinds[subject.resource].isCluster ? { case: subject.key } : {};
  return [
    { method: "GET", path, quiet: true, save: { object: "" } },
    {
      method: "PUT",
      path: `${path}${query(r)}`,
      label: `${label} ${version}`,
      body: ({ object = {} }) => {
        const made = merged(object, change);
        if (labels !== undefined) made.metadata = { ...made.metadata, labels: { ...own, ...labels } };
        if (isStale) made.metadata = { ...made.metadata, resourceVersion: "1" };
        return made;
      },
    },
  ];
}

function merged(object, change) {
  if (typeof change !== "object" || change === null || Array.isArray(change)) return change;
  const made = { ...object };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete made[name];
    else made[name] = merged(made[name], value);
  }
  return made;
}

function patched(r, subject, nth) {
  const version = versionIn(r, subject);
  const type = r.pick(Object.keys(patchTypes));
  // An apply creates what is not there.
  const name = type === "apply" && r.chance(0.4) ? nameOf(subject, `n${nth}`) : existing(r, subject);
  const force = type === "apply" && r.chance(0.5) ? ["force=true"] : [];
  const manager = type === "apply" ? ["fieldManager=applier"] : [];
  return [
    {
      method: "PATCH",
      path: `${collectionOf(subject.resource, version, subject.key)}/${name}${query(r, [...manager, ...force])}`,
      headers: { "content-type": patchTypes[type] },
      label: `${type} ${version}`,
      body: JSON.stringify(patchOf(r, subject, type, version, name)),
    },
  ];
}

function patchOf(r, subject, type, version, name) {
  const kind = kinds[subject.resource];
  const labels = r.chance(0.5) ? { metadata: { labels: { tier: r.pick([...tiers, null]) } } } : {};
  switch (type) {
    case "json":
      return [
        { op: "add", path: "/metadata/annotations", value: { n: String(r.int(3)) } },
        ...(r.chance(0.3) ? [{ op: "add", path: "/metadata/labels", value: { tier: r.pick(tiers) } }] : []),
      ];
    case "apply":
      return { ...objectOf(r, subject, "", version), metadata: metadataOf(r, subject, { name }) };
    default:
      return merged(labels, kind.change(r));
  }
}

function deleted(r, subject) {
  const version = versionIn(r, subject);
  const path = `${collectionOf(subject.resource, version, subject.key)}/${existing(r, subject)}`;
  const hasBody = r.chance(0.5);
  const uid = r.pick(["none", "own"]);
  const options = {
    ...(r.chance(0.3) && { propagationPolicy: r.pick(["Background", "Foreground", "Orphan"]) }),
    ...(r.chance(0.3) && { gracePeriodSeconds: r.pick([0, 1, 30]) }),
    ...(r.chance(0.2) && { dryRun: ["All"] }),
    ...(r.chance(0.1) && { orphanDependents: true }),
  };
  const hasUid = r.chance(0.3);
  const names = hasBody ? [] : Object.entries(options).map(([name, value]) => `${name}=${[value].flat()[0]}`);
  return [
    { method: "GET", path, quiet: true, save: { uid: "metadata.uid" } },
    {
      method: "DELETE",
      path: `${path}${names.length > 0 ? `?${names.join("&")}` : ""}`,
      label: `delete ${version}`,
      ...(hasBody && {
        body: (saved) => ({
          kind: "DeleteOptions",
          apiVersion: "v1",
          ...options,
          ...(hasUid && { preconditions: { uid: uid === "own" ? saved.uid : "other" } }),
        }),
      }),
    },
  ];
}

function deletedCollection(r, subject) {
  const version = versionIn(r, subject);
  const selector = kinds[subject.resource].isCluster ? `case=${subject.key}` : r.pick(["tier=web", "tier", "!tier"]);
  const more = [`labelSelector=${encodeURIComponent(selector)}`, ...(r.chance(0.3) ? ["gracePeriodSeconds=0"] : [])];
  return [
    {
      method: "DELETE",
      path: `${collectionOf(subject.resource, version, subject.key)}${query(r, more)}`,
      label: `delete all ${version}`,
    },
  ];
}

function ofPart(r, subject) {
  const version = versionIn(r, subject);
  const name = existing(r, subject);
  const { name: part, merge, post, connect } = r.pick(kinds[subject.resource].parts);
  const object = `${collectionOf(subject.resource, version, subject.key)}/${name}`;
  if (connect !== undefined) {
    return [{ method: r.pick(["GET", "POST"]), path: `${object}/${connect}`, label: part }];
  }
  const path = `${object}/${part}`;
  if (post !== undefined) {
    const isDeletion = part === "eviction" && r.chance(0.3);
    const body = post(name);
    if (isDeletion) body.deleteOptions = { gracePeriodSeconds: 0, dryRun: ["All"] };
    return [{ method: "POST", path: `${path}${query(r)}`, body, label: part }];
  }
  if (r.chance(0.35)) return written(r, subject, path, version, merge, part);
  const type = r.pick(["merge", "strategic", ...(part === "scale" ? [] : ["apply"])]);
  const applied = { ...objectOf(r, subject, "", version), metadata: { name } };
  return [
    {
      method: "PATCH",
      path: `${path}${query(r, type === "apply" ? ["fieldManager=applier", "force=true"] : [])}`,
      headers: { "content-type": patchTypes[type] },
      label: `${part} ${type} ${version}`,
      body: JSON.stringify(type === "apply" ? merged(applied, merge) : merge),
    },
  ];
}
