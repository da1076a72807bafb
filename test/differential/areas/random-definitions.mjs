// Definitions of custom kinds drawn at random, some of them spoilt in one or two places; objects of them in all versions,
// as JSON and as tables; then another random definition in the place of the first, and the same objects again.

import { absent, pathsOf, withValue } from "../lib/change.mjs";
import { Random } from "../lib/random.mjs";
import { objectSchema, valueFor } from "../lib/random-schemas.mjs";
import { view as viewOfObject } from "./custom-resources.mjs";

export const parallel = 4;
const namespace = "random-definitions";
const group = "random.example.com";
const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const mergePatch = { "content-type": "application/merge-patch+json" };
const applyPatch = { "content-type": "application/apply-patch+yaml" };

/** Time in milliseconds until both servers have seen changes of definitions. */
const settleMs = 5_000;
const batch = 60;

/** Cases for a runner of differential areas. `SEED` and `COUNT` choose others. */
export async function* cases() {
  const { SEED = "1", COUNT = "300" } = process.env;
  const made = { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: namespace } }, quiet: true };
  yield { name: "namespace", steps: [made] };
  for (let from = 0; from < Number(COUNT); from += batch) {
    const subjects = Array.from({ length: Math.min(batch, Number(COUNT) - from) }, (_, i) =>
      subjectOf(Number(SEED), from + i),
    );
    yield* phase(subjects, ({ id, path, first }) => [
      { label: "create a definition", method: "POST", path: collection, body: first, view },
      // It is not refused for good: what is asked for next is the same on both sides.
      { method: "GET", path, quiet: true, name: id },
    ]);
    await settled();
    yield* phase(subjects, (subject) => [definitionOf(subject), ...writes(subject)]);
    yield* phase(subjects, replaced);
    await settled();
    yield* phase(subjects, (subject) => [definitionOf(subject), ...reads(subject), ...writes(subject)]);
    yield* phase(subjects, ({ path }) => [{ method: "DELETE", path, quiet: true }]);
    await settled();
  }
}

function* phase(subjects, stepsOf) {
  for (const subject of subjects)
    yield { name: `definition ${subject.id}`, independent: true, steps: stepsOf(subject) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, settleMs));

function subjectOf(seed, index) {
  const r = new Random(seed * 100_003 + index);
  const plural = `r${seed}x${index}s`;
  const first = definition(r, plural);
  const second = definition(r, plural);
  return {
    r,
    id: `${seed}-${index}`,
    plural,
    path: `${collection}/${plural}.${group}`,
    first: r.chance(0.25) ? spoilt(r, first) : first,
    second: r.chance(0.25) ? spoilt(r, second) : second,
    names: ["one", "two", "three"],
  };
}

/** Returns a random definition of a custom kind. */
export function definition(r, plural) {
  const names = r.some(["v1", "v1beta1", "v2alpha1"], 0.6);
  const versions = (names.length === 0 ? ["v1"] : names).map((name) => version(r, name));
  r.pick(versions).storage = true;
  const kind = plural.replace(/s$/, "").replace("r", "R");
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: {
        plural,
        kind,
        ...(r.chance(0.3) && { singular: kind.toLowerCase() }),
        ...(r.chance(0.3) && { listKind: `${kind}List` }),
        ...(r.chance(0.2) && { shortNames: [`${plural}q`] }),
        ...(r.chance(0.2) && { categories: ["all", "things"] }),
      },
      versions,
      ...(r.chance(0.15) && { conversion: { strategy: "None" } }),
      ...(r.chance(0.1) && { preserveUnknownFields: r.chance(0.3) }),
    },
  };
}

const jsonPaths = [
  ".spec.a", ".spec.name", ".spec.list", ".spec.list[0]", ".spec.list[*].name", ".spec.list[?(@.name=='a')].key", ".spec.list[-1:]",
  ".metadata.labels", ".metadata.labels['one']", ".metadata.labels.one", ".spec['a']", ".spec.x-y", ".spec.inner.*", ".status.phase",
  ".metadata.creationTimestamp", ".spec.missing.more", ".spec..name", ".spec", ".status.conditions[?(@.type==\"Ready\")].status",
  ".spec.list[0:2]", ".spec.list[1].name", ".spec.inner", ".spec.list[?(@.a>1)].a", "spec.a", ".spec.[a", ".spec.a[", "{.spec.a}", "", "..", "@", ".spec.list[a]",
]; // biome-ignore format: a list of paths

function version(r, name) {
  const spec = objectSchema(r);
  const status = r.chance(0.4) ? objectSchema(r, 1) : undefined;
  const root = {
    type: "object",
    properties: { spec, ...(status === undefined ? {} : { status }) },
    ...(r.chance(0.15) && { required: ["spec"] }),
    ...(r.chance(0.05) && { "x-kubernetes-preserve-unknown-fields": true }),
  };
  const columns = Array.from({ length: r.int(4) }, (_, i) => ({
    name: `C${i}`,
    type: r.pick(["string", "integer", "number", "boolean", "date"]),
    jsonPath: r.chance(0.9) ? r.pick(jsonPaths.slice(0, 23)) : r.pick(jsonPaths),
    ...(r.chance(0.2) && {
      format: r.pick(
        ["int32", "int64", "float", "double", "byte", "date", "date-time", "password", "odd"].slice(
          0,
          r.chance(0.9) ? 8 : 9,
        ),
      ),
    }),
    ...(r.chance(0.3) && { priority: r.int(2) }),
    ...(r.chance(0.3) && { description: "a column" }),
  }));
  const scale = {
    specReplicasPath: r.pick([".spec.a", ".spec.inner.a"]),
    statusReplicasPath: ".status.a",
    ...(r.chance(0.5) && { labelSelectorPath: ".status.name" }),
  };
  return {
    name,
    served: r.chance(0.9),
    storage: false,
    schema: { openAPIV3Schema: root },
    ...(r.chance(0.5) && { subresources: { ...(r.chance(0.8) && { status: {} }), ...(r.chance(0.3) && { scale }) } }),
    ...(columns.length > 0 && { additionalPrinterColumns: columns }),
    ...(r.chance(0.15) && { deprecated: true, ...(r.chance(0.5) && { deprecationWarning: "use another" }) }),
  };
}

/** One or two places with something else than was meant. */
function spoilt(r, object) {
  let result = object;
  for (let i = 1 + r.int(2); i > 0; i--) {
    const [where, value] = r.pick([...pathsOf(result.spec, ["spec"])]);
    result = withValue(result, where, r.pick([absent, null, ...otherThan(r, value)]));
  }
  return result;
}

function otherThan(r, value) {
  const words = ["", "odd", "Odd_One", "array", "object", "string", "set", "map", ".spec", "a".repeat(70)];
  switch (typeof value) {
    case "string":
      return [r.pick(words), r.pick(words), `${value}x`, 1];
    case "number":
      return [-1, value + 1, 0.5, "1"];
    case "boolean":
      return [!value, !value, "true"];
    default:
      return Array.isArray(value)
        ? [[], [...value, ...value], {}, value.slice(1)]
        : [
            {},
            [],
            { ...value, type: r.pick(words) },
            { ...value, nullable: true },
            { ...value, default: r.pick(["d", 1, {}]) },
          ];
  }
}

const definitionOf = ({ path }) => ({ label: "the definition", method: "GET", path, view });

const pathOf = ({ plural }, version, name) =>
  `/apis/${group}/${version}/namespaces/${namespace}/${plural}${name === undefined ? "" : `/${name}`}`;

const versions = ["v1", "v1beta1", "v2alpha1"];

function* schemasOf({ first, second }) {
  for (const { spec } of [first, second])
    for (const version of Array.isArray(spec?.versions) ? spec.versions : []) {
      const schema = version?.schema?.openAPIV3Schema;
      if (typeof version?.name === "string" && typeof schema === "object") yield [version.name, schema];
    }
}

/** Objects by all that their definitions state, and what is done with them. */
function writes(subject) {
  const { r, plural, names } = subject;
  const known = [...schemasOf(subject)];
  if (known.length === 0) return [];
  const steps = [];
  for (let i = 0; i < 6; i++) {
    const [version, schema] = r.pick(known);
    const name = r.pick(names);
    const kind = plural.replace(/s$/, "").replace("r", "R");
    const { metadata: _, ...value } = Object(valueFor(r, schema));
    const object = { ...value, apiVersion: `${group}/${version}`, kind, metadata: { name, labels: { one: "1" } } };
    const strict = r.chance(0.3) ? `?fieldValidation=${r.pick(["Strict", "Ignore", "Warn"])}` : "";
    const path = pathOf(subject, version, name);
    const apply = `?fieldManager=m${r.int(2)}${r.chance(0.5) ? "&force=true" : ""}`;
    const sub = r.chance(0.2) ? "/status" : "";
    steps.push(
      r.pick([
        {
          label: `create ${name} ${version}`,
          method: "POST",
          path: `${pathOf(subject, version)}${strict}`,
          body: object,
          view,
        },
        {
          label: `create ${name} ${version}`,
          method: "POST",
          path: `${pathOf(subject, version)}${strict}`,
          body: object,
          view,
        },
        {
          label: `patch ${name} ${version}${sub}`,
          method: "PATCH",
          path: `${path}${sub}${strict}`,
          headers: mergePatch,
          body: JSON.stringify(value),
          view,
        },
        {
          label: `apply ${name} ${version}${sub}`,
          method: "PATCH",
          path: `${path}${sub}${apply}`,
          headers: applyPatch,
          body: JSON.stringify(object),
          view,
        },
        {
          label: `scale ${name} ${version}`,
          method: "PATCH",
          path: `${path}/scale`,
          headers: mergePatch,
          body: '{"spec":{"replicas":2}}',
          view,
        },
      ]),
    );
  }
  return [...steps, ...reads(subject)];
}

function reads(subject) {
  const version = subject.r.pick(versions);
  return [
    { label: `list ${version}`, method: "GET", path: pathOf(subject, version), view },
    { label: `table ${version}`, method: "GET", path: pathOf(subject, version), headers: table, view },
    { label: `get ${version}`, method: "GET", path: pathOf(subject, version, "one"), view },
  ];
}

function replaced({ path, second }) {
  return [
    { method: "GET", path, quiet: true, save: { live: "" } },
    {
      label: "replace the definition",
      method: "PUT",
      path,
      body: ({ live }) => ({
        ...second,
        metadata: { ...second.metadata, resourceVersion: live?.metadata?.resourceVersion },
      }),
      view,
    },
  ];
}

/** Returns an answer without the results of races between controllers, and without the order of Go's maps. */
function view(answer) {
  const shown = viewOfObject(answer);
  if (shown?.kind !== "CustomResourceDefinition") return shown;
  const { managedFields: _, ...metadata } = shown.metadata;
  const conditions = [...(shown.status?.conditions ?? [])].sort((a, b) => (a.type < b.type ? -1 : 1));
  return { ...shown, metadata, status: { ...shown.status, conditions } };
}
