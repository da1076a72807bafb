// Every field of every object of the recorded rules, spoilt in every way of `lib/spoil.mjs`; fields that it lacks, filled
// from its schema; on create, update and update of the status; then several mistakes at once. All dry runs. SHARE is the
// part of them that is sent (1 of 20 unless told), SEED which, KIND a part of "group/version Kind".

import { pathsOf, withValue } from "../lib/change.mjs";
import { Random } from "../lib/random.mjs";
import { around, followed, namespaceCase, rootOf, schemasOf, subjects, view } from "../lib/recorded-subjects.mjs";
import { missingMembers, mistakesAt, schemaBelow } from "../lib/spoil.mjs";

export const parallel = 4;

const share = Number(process.env.SHARE ?? 0.05);

export async function* cases(oracle) {
  yield namespaceCase;
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
