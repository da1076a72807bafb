import { tableType } from "./list-requests.js";
import { stallDefinition } from "./stall-definitions.js";
import { repeated, type StallRequest, stallNamespace } from "./stall-request.js";
import type { StallHttpRequest, StallTarget } from "./stall-target.js";

const listsPath = `/apis/stall.example.com/v1/namespaces/${stallNamespace}/longlists`;
const configMapsPath = `/api/v1/namespaces/${stallNamespace}/configmaps`;
const largePath = `${configMapsPath}/large?`;
// What is applied stays as it is for the next attempt.
const dryPath = `${largePath}dryRun=All&`;
const podsPath = `/api/v1/namespaces/${stallNamespace}/pods`;
const json = { "content-type": "application/json" };

/** The kind of the long lists, to be created before anything is measured. */
export const longListDefinition = stallDefinition("LongList", listsSchema());

/** Objects as large as they may be, stored, and then read and changed in every way there is. */
export const largeObjectRequests: readonly StallRequest[] = [
  create("a set of 45,000 texts", listsPath, () => longList(`"texts":[${list(45_000, '"value-#"')}]`)),
  create("a set of 20,000 objects", listsPath, () => longList(`"objects":[${list(20_000, '{"a":"v#","b":#}')}]`)),
  create("a list of 45,000 items with keys", listsPath, () => longList(`"keyed":[${list(45_000, '{"name":"v#"}')}]`)),
  create("45,000 finalizers", configMapsPath, () => configMap(`,"finalizers":[${list(45_000, '"a.b/f#"')}]`, "")),
  create("90,000 data keys", configMapsPath, () => manyKeys(90_000, "v")),
  create("45,000 data keys", configMapsPath, () => manyKeys(45_000, "v")),
  create("a Pod with 20,000 resource limits", podsPath, manyLimits),
  ...[
    // The fields of 45,000 keys have owners; with those of 90,000 the object would be too large to be stored.
    whatIsDoneTo("a ConfigMap of 90,000 keys", configMapsPath, "ConfigMap", () => manyKeys(90_000, "v")),
    whatIsDoneTo("a ConfigMap of 45,000 keys", configMapsPath, "ConfigMap", () => manyKeys(45_000, "v")),
    whatIsDoneTo("a Pod with 20,000 resource limits", podsPath, "Pod", manyLimits),
  ].flat(),
  stored(
    "apply: a set of 20,000 texts, by another",
    listsPath,
    manyTexts,
    applyTo(`${listsPath}/large?`, "other", manyTexts()),
  ),
  applied("45,000 keys with other values, by force", () => applyTo(dryPath, "another", manyKeys(45_000, "x"))),
  applied("45,000 keys in conflict", () => applyTo(dryPath, "another", manyKeys(45_000, "x"), "")),
  applied("44,999 keys less than before", () => applyTo(dryPath, "other", manyKeys(1, "w"))),
];

/** Applies 45,000 keys, and sends the request then. */
function applied(what: string, makeRequest: () => StallHttpRequest): StallRequest {
  return {
    name: `apply: ${what}`,
    prepare() {
      const first = applyTo(largePath, "other", manyKeys(45_000, "w"));
      const request = makeRequest();
      return async (target) => {
        const outcome = await target.send(first);
        return outcome === "201" || outcome === "200" ? target.send(request) : `not applied: ${outcome}`;
      };
    },
  };
}

/** Returns the apply of an object in the name of a manager, by force unless told. */
function applyTo(path: string, manager: string, body: string, force = "&force=true"): StallHttpRequest {
  return {
    method: "PATCH",
    path: `${path}fieldManager=${manager}${force}`,
    headers: { "content-type": "application/apply-patch+yaml" },
    body: Buffer.from(body),
  };
}

function whatIsDoneTo(what: string, path: string, kind: string, makeBody: () => string): readonly StallRequest[] {
  const object = `${path}/large`;
  const as = (accept: string): Readonly<Record<string, string>> => ({ accept });
  const label = '{"metadata":{"labels":{"a":"b"}}}';
  const patch = (type: string, body: string): StallHttpRequest => ({
    method: "PATCH",
    path: `${object}?dryRun=All&fieldManager=other`,
    headers: { "content-type": type },
    body: Buffer.from(body),
  });
  const whole = makeBody().replace('"name":"large"', '"name":"large","labels":{"a":"b"}');
  const watch = `${path}?watch=1&resourceVersion=0&timeoutSeconds=1`;
  const selected = `${path}?labelSelector=a%21%3Db,c&fieldSelector=metadata.name%21%3Dx`;
  const requests: readonly (readonly [string, StallHttpRequest])[] = [
    ["get as YAML", { path: object, headers: as("application/yaml") }],
    ["get as protobuf", { path: object, headers: as("application/vnd.kubernetes.protobuf") }],
    ["watch as a Table", { path: watch, headers: as(tableType) }],
    ["watch as protobuf", { path: watch, headers: as("application/vnd.kubernetes.protobuf") }],
    ["list by selectors", { path: selected }],
    ["update", { method: "PUT", path: object, headers: json, body: Buffer.from(whole) }],
    ["merge patch", patch("application/merge-patch+json", label)],
    ["strategic merge patch", patch("application/strategic-merge-patch+json", label)],
    ["strategic merge patch with all of it", patch("application/strategic-merge-patch+json", whole)],
    ["JSON patch", patch("application/json-patch+json", '[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]')],
    ["apply of a label", patch("application/apply-patch+yaml", labelled(kind))],
    ["delete", { method: "DELETE", path: `${object}?gracePeriodSeconds=0` }],
  ];
  return requests.map(([verb, request]) => stored(`${what}: ${verb}`, path, makeBody, request));
}

/** Creates the object, or finds it there, and sends the request then. */
function stored(name: string, path: string, makeBody: () => string, request: StallHttpRequest): StallRequest {
  return {
    name,
    prepare() {
      const body = Buffer.from(makeBody());
      return async (target) => {
        const created = await target.send({ method: "POST", path, headers: json, body });
        return created === "201" || created === "409" ? target.send(request) : `not created: ${created}`;
      };
    },
  };
}

/** Creates the object and deletes it again. */
function create(what: string, path: string, makeBody: () => string): StallRequest {
  return {
    name: `store: ${what}`,
    prepare() {
      const body = Buffer.from(makeBody().replace('"name":"large"', '"name":"created"'));
      return async (target: StallTarget) => {
        const outcome = await target.send({ method: "POST", path, headers: json, body });
        await target.send({ method: "DELETE", path: `${path}/created?gracePeriodSeconds=0` });
        const noFinalizers = Buffer.from('{"metadata":{"finalizers":null}}');
        const headers = { "content-type": "application/merge-patch+json" };
        await target.send({ method: "PATCH", path: `${path}/created`, headers, body: noFinalizers });
        return outcome;
      };
    },
  };
}

function manyKeys(count: number, value: string): string {
  return configMap("", list(count, `"k#":"${value}"`));
}

function manyLimits(): string {
  const limits = list(20_000, '"example.com/r#":"1"');
  const containers = `[{"name":"c","image":"i","resources":{"limits":{${limits}}}}]`;
  return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"large"},"spec":{"containers":${containers}}}`;
}

function manyTexts(): string {
  return longList(`"texts":[${list(20_000, '"value-#"')}]`);
}

function configMap(metadata: string, data: string): string {
  return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"large"${metadata}},"data":{${data}}}`;
}

function longList(spec: string): string {
  return `{"apiVersion":"stall.example.com/v1","kind":"LongList","metadata":{"name":"large"},"spec":{${spec}}}`;
}

function labelled(kind: string): string {
  return `{"apiVersion":"v1","kind":"${kind}","metadata":{"name":"large","labels":{"a":"b"}}}`;
}

function list(count: number, item: string): string {
  return repeated(count, `${item},`).slice(0, -1);
}

function listsSchema(): object {
  const text = { type: "string" };
  const pair = { type: "object", properties: { a: text, b: { type: "integer" } }, "x-kubernetes-map-type": "atomic" };
  const keyed = { type: "object", required: ["name"], properties: { name: text, value: { ...text, default: "d" } } };
  const lists = {
    texts: { type: "array", "x-kubernetes-list-type": "set", items: text },
    objects: { type: "array", "x-kubernetes-list-type": "set", items: pair },
    keyed: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], items: keyed },
  };
  return { type: "object", properties: lists };
}
