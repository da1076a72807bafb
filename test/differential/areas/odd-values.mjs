// Every object of the recorded rules with one to three members set to odd values of their types, members of the same struct
// more often than not; on create, by PUT, by every sort of patch, and of the status where that is meant. All dry runs.
// COUNT is how many for each object (20 unless told), SEED which, KIND a part of "group/version Kind".

import { at, withValue } from "../lib/change.mjs";
import { Random } from "../lib/random.mjs";
import { around, namespaceCase, rootOf, schemasOf, subjects, view } from "../lib/recorded-subjects.mjs";
import { oddValue, placesIn } from "../lib/schema-values.mjs";

export const parallel = 4;

const count = Number(process.env.COUNT ?? 20);
const patches = {
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
  json: "application/json-patch+json",
};

export async function* cases(oracle) {
  yield namespaceCase;
  const random = new Random(Number(process.env.SEED ?? 1));
  for (const subject of subjects()) {
    const { apiVersion, kind, metadata } = subject.object;
    const name = `${apiVersion} ${kind} ${metadata.name}`;
    const schemas = await schemasOf(oracle, apiVersion);
    if (schemas === undefined || !name.includes(process.env.KIND ?? "")) continue;
    const places = placesIn(subject.object, { $ref: rootOf(subject.object, schemas) }, schemas);
    const draw = () => changesOf(places, schemas, random);
    const steps = Array.from({ length: count }, () => [...stepsOf(subject, draw(), random)]).flat();
    yield { name, independent: true, steps: [...around(subject, steps)] };
  }
}

/** `[[path, value]]`. Structs are drawn first, since some have many members. */
function changesOf(places, schemas, random) {
  const inStruct = (parent) => places.filter((place) => place.parent === parent);
  const anyStruct = () => inStruct(random.pick([...new Set(places.map(({ parent }) => parent))]));
  const struct = anyStruct();
  const chosen = [random.pick(struct)];
  if (random.chance(0.35)) chosen.push(random.pick(struct));
  if (random.chance(0.1)) chosen.push(random.pick(anyStruct()));
  return chosen.map(({ path, schema }) => [path, oddValue(schema, schemas, random)]);
}

function* stepsOf({ object, collection }, changes, random) {
  const change = (whole) => changes.reduce((result, [path, value]) => withValue(result, path, value), whole);
  const told = changes.map(([path, value]) => `${path.join(".")}=${JSON.stringify(value)}`).join(" & ");
  const { name } = object.metadata;
  const renamed =
    object.kind === "APIService" ? object : withValue(object, ["metadata", "name"], `${name.slice(0, 58)}-2`);
  const create = { method: "POST", path: `${collection}?dryRun=All`, body: change(renamed), view };
  yield { label: `create: ${told}`, ...create };
  const subresource = changes[0][0][0] === "status" ? "/status" : "";
  const path = `${collection}/${name}${subresource}?dryRun=All`;
  const how = random.pick(["put", ...Object.keys(patches)]);
  if (how === "put") {
    yield { label: `put: ${told}`, method: "PUT", path, body: ({ live }) => change(live ?? object), view };
    return;
  }
  const headers = { "content-type": patches[how] };
  const query = how === "apply" ? "&fieldManager=m&force=true" : "";
  const body = JSON.stringify(how === "json" ? operations(changes) : patchOf(object, changes[0][0], change, how));
  yield { label: `${how}: ${told}`, method: "PATCH", path: path + query, headers, body, view };
}

function operations(changes) {
  const pointer = (path) => path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return changes.map(([path, value]) => ({ op: "add", path: pointer(path), value }));
}

/** The changed member, or the list that it is in. */
function patchOf(object, path, change, how) {
  const index = path.findIndex((key, step) => Array.isArray(at(object, path.slice(0, step))) && /^\d+$/.test(key));
  const place = index === -1 ? path : path.slice(0, index);
  const patch = withValue({}, place, at(change(object), place) ?? null);
  return how === "apply" ? { apiVersion: object.apiVersion, kind: object.kind, ...patch } : patch;
}
