// The objects of the recorded rules, and what areas that spoil them have in common.

import { readdirSync, readFileSync } from "node:fs";
import { withoutRecentTimes } from "./recent-times.mjs";

const folder = new URL("../../src/conformance/recorded-validation/", import.meta.url);
const merge = { "content-type": "application/merge-patch+json" };

/** Controllers of v1.29 write the status of these whenever they come to it. */
export const followed = new Set(["FlowSchema", "APIService"]);

/** Makes the namespace that the objects are in. */
export const namespaceCase = {
  name: "namespace",
  steps: [{ method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: "recorded" } }, quiet: true }],
};

/** Every object of the recorded rules, with its collection. */
export function* subjects() {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
    const lines = readFileSync(new URL(file, folder), "utf8")
      .split("\n")
      .filter((line) => line.startsWith('{"collection"'));
    yield* lines.map((line) => JSON.parse(line));
  }
}

/** Steps between making an object, whose state is saved as `live`, and removing it. */
export function* around({ object, collection }, steps) {
  const path = `${collection}/${object.metadata.name}`;
  yield { label: "create", method: "POST", path: collection, body: object, view };
  yield { method: "GET", path, save: { live: "" }, quiet: true };
  yield* steps;
  yield { method: "DELETE", path: `${path}?gracePeriodSeconds=0`, quiet: true };
  yield { method: "PATCH", path, headers: merge, body: '{"metadata":{"finalizers":null}}', quiet: true };
}

const documents = new Map();

/** The schemas of a group version; undefined where it is not served. */
export async function schemasOf(oracle, apiVersion) {
  const path = `/openapi/v3/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}`;
  if (!documents.has(path)) {
    const { status, body } = await oracle.request({ method: "GET", path });
    documents.set(path, status === 200 ? JSON.parse(body).components.schemas : undefined);
  }
  return documents.get(path);
}

/** The name of the schema of an object. */
export function rootOf({ apiVersion, kind }, schemas) {
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return Object.keys(schemas).find((name) =>
    (schemas[name]["x-kubernetes-group-version-kind"] ?? []).some(
      (gvk) => gvk.group === group && gvk.version === version && gvk.kind === kind,
    ),
  );
}

const volatile = new Set(["uid", "creationTimestamp", "resourceVersion", "managedFields", "clusterIP", "clusterIPs"]);

/** Returns an answer with random parts, and parts of one moment or place, made equal for both sides. */
export function view({ body }) {
  const text = body.toString();
  try {
    const document = JSON.parse(text, (key, value) => (isVolatile(key, value) ? undefined : withoutChance(value)));
    if (followed.has(document.kind)) delete document.status;
    return document;
  } catch {
    return text;
  }
}

function isVolatile(key, value) {
  return volatile.has(key) || (/[nN]odePort$/.test(key) && value >= 30000 && value <= 32767);
}

function withoutChance(text) {
  if (typeof text !== "string") return text;
  return withoutRecentTimes(text)
    .replace(/\)\(0x[0-9a-f]+\)/g, ")(0xc000000000)")
    .replace(/("resourceVersion":")\d+/g, "$1RV")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "UID")
    .replaceAll("\u00a0", " ");
}
