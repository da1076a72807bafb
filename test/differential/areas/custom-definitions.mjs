// CustomResourceDefinitions, spoilt in every way that a reader of v1.29's rules would think of, on create, update and
// update of the status. All dry runs but those that make what is updated. A case is `{ name, steps }` and every step a
// request, as the other areas have them; `independent` steps are compared whatever became of those before.

import { absent, at, pathsOf, withValue } from "../lib/change.mjs";
import { schemaMistakes, specMistakes, statusMistakes } from "../lib/definition-mistakes.mjs";
import { definitions } from "../lib/definitions.mjs";

export const parallel = 1;

const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const merge = { "content-type": "application/merge-patch+json" };

/** Time in milliseconds until names are accepted and a definition is established. */
const settleMs = 1500;

export async function* cases() {
  for (const definition of definitions) {
    const { name } = definition.metadata;
    const path = `${collection}/${name}`;
    yield { name, steps: [{ label: "create", method: "POST", path: collection, body: definition }] };
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const live = { method: "GET", path, save: { live: "" }, quiet: true };
    yield {
      name,
      independent: true,
      steps: [live, ...spoilt(definition, path), { method: "DELETE", path, quiet: true }],
    };
  }
}

function* spoilt(definition, path) {
  for (const [label, change] of changesOf(definition)) {
    const renamed = withName(definition);
    yield { label: `create: ${label}`, method: "POST", path: `${collection}?dryRun=All`, body: change(renamed) };
    yield {
      label: `update: ${label}`,
      method: "PUT",
      path: `${path}?dryRun=All`,
      body: ({ live }) => change(live ?? definition),
    };
  }
  for (const [label, status] of statusMistakes) {
    yield {
      label: `status: ${label}`,
      method: "PATCH",
      path: `${path}/status?dryRun=All`,
      headers: merge,
      body: JSON.stringify({ status }),
    };
  }
}

/** Returns the definition under another name: a create may not find the one that updates are tried on. */
function withName(definition) {
  const plural = `${definition.spec.names.plural}x`;
  return withValue(
    withValue(definition, ["spec", "names", "plural"], plural),
    ["metadata", "name"],
    `${plural}.${definition.spec.group}`,
  );
}

function* changesOf(definition) {
  yield ["nothing", (object) => object];
  for (const [where, values] of specMistakes) {
    for (const value of values) {
      yield [`${where.join(".")} = ${brief(value)}`, (object) => withValue(object, where, value)];
    }
  }
  for (const [where, value] of pathsOf(definition.spec, ["spec"])) {
    if (where.includes("openAPIV3Schema") || value === null) {
      continue;
    }
    for (const wrong of [absent, typeof value === "string" ? "Not_Valid!" : typeof value === "boolean" ? !value : 0]) {
      yield [`${where.join(".")} ${brief(wrong)}`, (object) => withValue(object, where, wrong)];
    }
  }
  for (const [version] of definition.spec.versions.entries()) {
    const root = ["spec", "versions", version, "schema", "openAPIV3Schema"];
    for (const where of schemaNodes(at(definition, root) ?? {}, root)) {
      for (const members of schemaMistakes) {
        const label = `${where.slice(2).join(".")} with ${brief(members)}`;
        yield [label, (object) => withValue(object, where, { ...at(object, where), ...members })];
      }
    }
  }
}

/** Returns the paths of a schema's nodes: the root, a property, an item, a value of a map, one inside `allOf`. */
function schemaNodes(schema, root) {
  const found = [root];
  const visit = (node, where) => {
    found.push(where);
    for (const name of Object.keys(node.properties ?? {})) {
      visit(node.properties[name], [...where, "properties", name]);
    }
    for (const member of ["items", "additionalProperties", "not"]) {
      if (node[member] && typeof node[member] === "object" && !Array.isArray(node[member])) {
        visit(node[member], [...where, member]);
      }
    }
    for (const member of ["allOf", "anyOf", "oneOf"]) {
      for (const index of Object.keys(node[member] ?? [])) {
        visit(node[member][index], [...where, member, index]);
      }
    }
  };
  visit(schema, root);
  return found.slice(1);
}

function brief(value) {
  return value === absent ? "absent" : JSON.stringify(value).slice(0, 120);
}
