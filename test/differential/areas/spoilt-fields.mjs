// Every field of every object of the recorded rules, spoilt in every way of `lib/spoil.mjs`; fields that it lacks, filled
// from its schema; on create, update and update of the status; then several mistakes at once. All dry runs. SHARE is the
// part of them that is sent (1 of 20 unless told), SEED which, KIND a part of "group/version Kind".

import { readdirSync, readFileSync } from "node:fs";
import { pathsOf, withValue } from "../lib/change.mjs";
import { Random } from "../lib/random.mjs";
import { missingMembers, mistakesAt, schemaBelow } from "../lib/spoil.mjs";

export const parallel = 4;

const folder = new URL("../../src/conformance/recorded-rules/", import.meta.url);
const share = Number(process.env.SHARE ?? 0.05);
const namespace = "recorded";
const followed = new Set(["FlowSchema", "APIService"]);
const merge = { "content-type": "application/merge-patch+json" };

export async function* cases(oracle) {
  const made = { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: namespace } }, quiet: true };
  yield { name: "namespace", steps: [made] };
  const random = new Random(Number(process.env.SEED ?? 1));
  for (const subject of subjects()) {
    const { object } = subject;
    const name = `${object.apiVersion} ${object.kind} ${object.metadata.name}`;
    if (!name.includes(process.env.KIND ?? "")) continue;
    const schemas = await schemasOf(oracle, object.apiVersion);
    // Versions that need a feature gate are not there without it.
    if (schemas === undefined) continue;
    yield { name, independent: true, steps: [...around(subject, [...mistakes(subject, schemas, random)])] };
  }
}

function* subjects() {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".jsonl"))) {
    const lines = readFileSync(new URL(file, folder), "utf8")
      .split("\n")
      .filter((line) => line.startsWith('{"collection"'));
    yield* lines.map((line) => JSON.parse(line));
  }
}

function* around({ object, collection }, steps) {
  const path = `${collection}/${object.metadata.name}`;
  yield { label: "create", method: "POST", path: collection, body: object, view };
  yield { method: "GET", path, save: { live: "" }, quiet: true };
  yield* steps;
  yield { method: "DELETE", path: `${path}?gracePeriodSeconds=0`, quiet: true };
  yield { method: "PATCH", path, headers: merge, body: '{"metadata":{"finalizers":null}}', quiet: true };
}

function* mistakes(subject, schemas, random) {
  const all = [...spoilt(subject.object, schemas)];
  const query = "?dryRun=All";
  const { collection, object } = subject;
  const { name } = object.metadata;
  const send = (label, change) => ({ label, create: change });
  const chosen = all.filter(() => random.chance(share)).map(([label, change]) => send(label, change));
  // Several mistakes at once show the order in which they are told.
  for (let count = 0; count < all.length * share * 0.3; count++) {
    const several = [random.pick(all), random.pick(all), random.pick(all)];
    const change = (whole) => several.reduce((result, [, one]) => one(result), whole);
    chosen.push(send(several.map(([label]) => label).join(" & "), change));
  }
  for (const { label, create } of chosen) {
    const renamed =
      object.kind === "APIService" ? object : withValue(object, ["metadata", "name"], `${name.slice(0, 60)}-2`);
    yield { label: `create: ${label}`, method: "POST", path: `${collection}${query}`, body: create(renamed), view };
    // Controllers of v1.29 write the status of these whenever they come to it.
    if (followed.has(object.kind))
      yield { method: "GET", path: `${collection}/${name}`, save: { live: "" }, quiet: true };
    const body = ({ live }) => create(live ?? object);
    yield { label: `update: ${label}`, method: "PUT", path: `${collection}/${name}${query}`, body, view };
    if (label.includes("status") || random.chance(0.1)) {
      yield { label: `status: ${label}`, method: "PUT", path: `${collection}/${name}/status${query}`, body, view };
    }
  }
}

/** `[[label, object => spoilt object]]` */
function* spoilt(object, schemas) {
  const root = { $ref: rootOf(object, schemas) };
  yield* missing(object, [], root, schemas);
  for (const [path, value] of pathsOf(object)) {
    if (["apiVersion", "kind"].includes(path[0])) continue;
    for (const [label, wrong] of mistakesAt(value)) {
      yield [`${path.join(".")} ${label}`, (whole) => withValue(whole, path, wrong)];
    }
    const schema = path.reduce((node, key) => schemaBelow(node, key, schemas), root);
    if (value !== null && typeof value === "object" && !Array.isArray(value))
      yield* missing(value, path, schema, schemas);
  }
}

function* missing(value, path, schema, schemas) {
  for (const [name, filled] of missingMembers(schema, value, schemas)) {
    if (name === "managedFields" || name === "uid") continue;
    const at = [...path, name];
    yield [`${at.join(".")} = ${JSON.stringify(filled).slice(0, 60)}`, (whole) => withValue(whole, at, filled)];
  }
}

const documents = new Map();

async function schemasOf(oracle, apiVersion) {
  const path = `/openapi/v3/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}`;
  if (!documents.has(path)) {
    const { status, body } = await oracle.request({ method: "GET", path });
    documents.set(path, status === 200 ? JSON.parse(body).components.schemas : undefined);
  }
  return documents.get(path);
}

function rootOf({ apiVersion, kind }, schemas) {
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return Object.keys(schemas).find((name) =>
    (schemas[name]["x-kubernetes-group-version-kind"] ?? []).some(
      (gvk) => gvk.group === group && gvk.version === version && gvk.kind === kind,
    ),
  );
}

const volatile = new Set(["uid", "creationTimestamp", "resourceVersion", "managedFields", "clusterIP", "clusterIPs"]);

/** What v1.29 draws by lot, and what stands for one moment or place, is the same on both sides. */
function view({ body }) {
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
  return text
    .replace(/\)\(0x[0-9a-f]+\)/g, ")(0xc000000000)")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "UID")
    .replace(
      new RegExp(
        `${new Date().toISOString().slice(0, 10)}[T ]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z| \\+0000 UTC)?( m=\\+[0-9.]+)?`,
        "g",
      ),
      "NOW",
    )
    .replaceAll("\u00a0", " ");
}
