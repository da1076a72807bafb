// Tables of built-in kinds: objects whose members and statuses are drawn within what validation accepts, printed by gets and
// lists in every version of the kind and of the table. COUNT is the number of cases, SEED which. Needs all API versions
// (`start-with-all-versions.mjs`).

import { comparable } from "../lib/comparable.mjs";
import { Random } from "../lib/random.mjs";
import { clusterKinds } from "../lib/tables/cluster.mjs";
import { networkingKinds } from "../lib/tables/networking.mjs";
import { podKinds } from "../lib/tables/pods.mjs";
import { storageKinds } from "../lib/tables/storage.mjs";
import { workloadKinds } from "../lib/tables/workloads.mjs";

export const parallel = 4;
const namespace = "tables";
const kinds = [...podKinds, ...workloadKinds, ...networkingKinds, ...storageKinds, ...clusterKinds];
/** Kinds as often as they are drawn. */
const drawn = kinds.flatMap((kind) => Array(10 * (kind.draws ?? 1)).fill(kind));
const finalizer = "example.com/tables";
/** Time in milliseconds for which a watch is listened to. */
const watchMs = 300;
const mergePatch = { "content-type": "application/merge-patch+json" };

/** Cases for a runner of differential areas. */
export async function* cases() {
  const { SEED = "1", COUNT = "1000" } = process.env;
  const made = { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: namespace } }, quiet: true };
  yield { name: "namespace", steps: [made] };
  yield* componentStatuses();
  yield* standingObjects();
  yield* emptyLists();
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const kind = r.pick(drawn);
    yield {
      name: `${SEED}-${i} ${kind.kind}`,
      independent: true,
      steps: stepsOf(r, kind, Number(SEED) * 1_000_003 + i),
    };
  }
}

function* componentStatuses() {
  const path = "/api/v1/componentstatuses";
  const columnsOnly = ({ body }) => JSON.parse(body.toString()).columnDefinitions?.map(withoutProse);
  for (const version of ["v1", "v1beta1"]) {
    yield {
      name: `ComponentStatus ${version}`,
      steps: [{ method: "GET", path, headers: table(version), view: columnsOnly }],
    };
  }
}

/** Tables of what the servers make themselves when they start. */
function* standingObjects() {
  const flowControl = "/apis/flowcontrol.apiserver.k8s.io/v1";
  const settled = ({ body }) =>
    JSON.parse(body.toString()).rows.map(({ cells }) => cells.map((cell) => settledCell(cell)));
  const made = [
    ...[`${flowControl}/flowschemas`, `${flowControl}/prioritylevelconfigurations`],
    ...["/apis/apiregistration.k8s.io/v1/apiservices", "/apis/scheduling.k8s.io/v1/priorityclasses"],
  ];
  for (const path of made) {
    const list = { method: "GET", path: `${path}?labelSelector=%21case`, headers: table("v1"), view: settled };
    yield { name: `standing ${path}`, steps: [list] };
  }
}

function* emptyLists() {
  for (const { paths, kind } of kinds) {
    for (const path of paths) {
      for (const query of ["", "&includeObject=None", "&includeObject=Object"]) {
        const list = { method: "GET", path: `${path}?labelSelector=no%3Dsuch${query}`, headers: table("v1"), view };
        yield { name: `no ${kind} ${path}${query}`, steps: [list] };
      }
    }
  }
}

const table = (version) => ({ accept: `application/json;as=Table;v=${version};g=meta.k8s.io` });

/** The requests of a case: one object or two, their statuses, their tables, and their end. */
function stepsOf(r, kind, index) {
  const labels = { case: `t${index}` };
  const objects = Array.from({ length: r.chance(0.3) ? 2 : 1 }, (_, i) => drawnObject(r, kind, 2 * index + i, labels));
  const reads = kind.paths.flatMap((path) => [
    read(r, `${collectionOf(kind, path)}/${encodeURIComponent(objects[0].name)}`, ""),
    read(r, collectionOf(kind, path), `&labelSelector=case%3Dt${index}`),
  ]);
  for (const subresource of [...(kind.hasScale ? ["scale"] : []), ...(kind.status ? ["status"] : [])]) {
    if (r.chance(0.3)) {
      reads.push(
        read(r, `${collectionOf(kind, kind.paths[0])}/${encodeURIComponent(objects[0].name)}/${subresource}`, ""),
      );
    }
  }
  if (r.chance(0.3)) reads.push(read(r, kind.paths[0], `&labelSelector=case%3Dt${index}`));
  const canWatch = !kind.hasController;
  const watch = (since) => ({
    ...read(r, collectionOf(kind, kind.paths[0]), `&watch=1&labelSelector=case%3Dt${index}${since}`),
    maxMs: watchMs,
    view: watchView,
  });
  const steps = [...objects.flatMap(({ steps }) => steps), ...reads, ...(canWatch && r.chance(0.1) ? [watch("")] : [])];
  const removals = objects.flatMap(({ removal }) => removal);
  return [...steps, ...removals, ...(canWatch && r.chance(0.1) ? [watch("&resourceVersion=$made")] : [])];
}

function drawnObject(r, kind, index, labels) {
  const name = kind.name?.(index) ?? `t${index}`;
  const drawn = kind.object(r, { index, namespace });
  const isDeleted = r.chance(kind.isDeleted ?? 0.03) && !kind.stays;
  const metadata = {
    ...drawn.metadata,
    name,
    labels: { ...drawn.metadata?.labels, ...labels },
    ...(isDeleted && { finalizers: [finalizer] }),
  };
  const collection = collectionOf(kind, kind.paths[0]);
  const path = `${collection}/${encodeURIComponent(name)}`;
  const body = { ...drawn, metadata };
  const statuses = kind.statuses?.(r) ?? (kind.status && { status: kind.status(r, drawn) }) ?? {};
  const remove = { method: "DELETE", path, body: { gracePeriodSeconds: 0, propagationPolicy: "Background" } };
  const steps = [
    written(r, { method: "POST", path: collection, body, save: { made: "metadata.resourceVersion" } }),
    ...Object.entries(statuses).map(([subresource, status]) =>
      written(r, { method: "PATCH", path: `${path}/${subresource}`, headers: mergePatch, body: { status } }),
    ),
    ...(isDeleted ? [written(r, { ...remove, body: {} })] : []),
  ];
  const release = { method: "PATCH", path, headers: mergePatch, body: { metadata: { finalizers: null } }, quiet: true };
  // What is released is gone, unless it has finalizers of its own.
  const removal = isDeleted ? [release, { ...remove, quiet: true }] : [written(r, remove)];
  return { name, steps, removal: kind.stays ? [] : removal };
}

/** Returns the path of a collection inside of the namespace, or of the cluster. */
function collectionOf({ isOfCluster }, path) {
  return isOfCluster ? path : path.replace(/\/([^/]+)$/, `/namespaces/${namespace}/$1`);
}

function read(r, path, query) {
  const include = r.pick(["", "&includeObject=None", "&includeObject=Metadata", "&includeObject=Object"]);
  const noHeaders = r.chance(0.1) ? "&noHeaders=true" : "";
  return {
    method: "GET",
    path: `${path}?x=${include}${noHeaders}${query}`,
    headers: table(r.chance(0.8) ? "v1" : "v1beta1"),
    view,
  };
}

/** Returns a write whose answer is a table in some cases; of other answers only refusals are compared. */
function written(r, step) {
  return r.chance(0.2) ? { ...step, headers: { ...step.headers, ...table("v1") }, view } : { ...step, view: refusal };
}

/** The reason for which a write was refused; nothing about one that was not. */
function refusal(answer) {
  const { code, reason, message } = comparable(answer);
  return code >= 400 ? { code, reason, message } : {};
}

/** A table without what differs between servers that are right: prose, and the age of what was just made. */
function view(answer) {
  const shown = comparable(answer);
  if (shown.kind !== "Table") return shown;
  const names = shown.columnDefinitions?.map(({ name }) => name);
  return {
    ...shown,
    columnDefinitions: shown.columnDefinitions?.map(withoutProse) ?? shown.columnDefinitions,
    rows: shown.rows?.map((row) => settledRow(row, names)) ?? shown.rows,
  };
}

/** The events of a watch, whose objects are tables. */
function watchView({ body }) {
  const lines = body
    .toString()
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => {
    const { type, object } = JSON.parse(line);
    return { type, object: view({ body: JSON.stringify(object) }) };
  });
}

const withoutProse = ({ description: _, ...column }) => column;

/** Returns a row without what the controllers of both servers write at their own time. */
function settledRow({ cells, object, ...row }, names) {
  const { managedFields: _, ...metadata } = object?.metadata ?? {};
  return {
    ...row,
    cells: cells.map((cell, i) => settledCell(cell, names?.[i])),
    object: object && { ...object, metadata, ...(object.kind === "APIService" && { status: {} }) },
  };
}

/** Returns "AGE" for the age of an object that was made seconds or minutes ago, and "SOON" for what becomes of it. */
function settledCell(cell, column) {
  if (column === "MissingPL" || (column === "Available" && /^Unknown$|^False \(Serv/.test(cell))) return "SOON";
  return (column === undefined || column === "Age") && /^(\d+m)?(\d+s)?$/.test(cell) && cell !== "" ? "AGE" : cell;
}
