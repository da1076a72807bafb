// What OpenAPI and discovery tell of custom kinds: one with a member for each form of schema below, and others drawn at random, as documents
// of both versions show them. Every definition of a document is a case. COUNT is the number of random kinds, SEED which.

import { Random } from "../lib/random.mjs";
import { definition } from "./random-definitions.mjs";

const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const group = "random.example.com";
const versions = ["v1", "v1beta1", "v2alpha1"];
/** Time in milliseconds until both servers publish new definitions. */
const settleMs = 8_000;

const text = { type: "string" };
const either = { "x-kubernetes-int-or-string": true };
const types = [{ type: "integer" }, { type: "string" }];
const open = { "x-kubernetes-preserve-unknown-fields": true };
const embedded = { type: "object", "x-kubernetes-embedded-resource": true };
const rule = { "x-kubernetes-validations": [{ rule: "true" }] };

/** Members of one kind. */
const members = {
  either,
  eitherStated: { ...either, anyOf: types },
  eitherStatedInside: { ...either, allOf: [{ anyOf: types }, { pattern: "a" }] },
  eitherPattern: { ...either, pattern: "a" },
  eitherNull: { ...either, nullable: true },
  eitherDefault: { ...either, default: 5 },
  eitherEnum: { ...either, enum: [1, "a"] },
  eitherOther: { ...either, anyOf: [{ pattern: "a" }, { pattern: "b" }] },
  eitherOthers: { ...either, anyOf: [{ pattern: "a" }], allOf: [{ maxLength: 3 }] },
  eitherOne: { ...either, oneOf: [{ pattern: "a" }] },
  eitherRule: { ...either, ...rule },
  eitherItems: { type: "array", items: either },
  eitherValues: { type: "object", additionalProperties: either },
  eitherInside: { type: "object", properties: { a: either, b: { ...either, anyOf: types } }, required: ["a"] },
  nullText: { type: "string", nullable: true, maxLength: 3, enum: ["a"], format: "date" },
  nullList: { type: "array", nullable: true, items: text, "x-kubernetes-list-type": "set", maxItems: 3 },
  nullObject: { type: "object", nullable: true, properties: { a: text }, required: ["a"], minProperties: 1 },
  nullInside: { type: "object", properties: { a: { ...text, nullable: true }, b: text }, required: ["a", "b"] },
  nullInNull: { type: "object", nullable: true, properties: { a: { ...text, nullable: true } }, required: ["a"] },
  nullInOpen: { type: "object", ...open, properties: { a: { ...text, nullable: true } }, required: ["a"] },
  nullAtomic: { type: "object", nullable: true, properties: { a: text }, "x-kubernetes-map-type": "atomic" },
  nullMap: { type: "object", nullable: true, additionalProperties: { type: "object", properties: { a: text } } },
  nullAnything: { type: "object", nullable: true, additionalProperties: true },
  nullDefault: { type: "string", nullable: true, default: "a" },
  nullItems: { type: "array", items: { type: "object", nullable: true, properties: { a: text } } },
  nullValues: { type: "object", additionalProperties: { type: "string", nullable: true } },
  openObject: { type: "object", ...open, properties: { a: text }, required: ["a"] },
  openMap: { type: "object", ...open, additionalProperties: text },
  openValue: open,
  openItems: { ...open, items: text },
  openInside: { type: "object", properties: { a: { type: "object", ...open, properties: { b: text } } } },
  embedded: { ...embedded, properties: { spec: { type: "object" } } },
  embeddedOpen: { ...embedded, ...open },
  embeddedNull: { ...embedded, nullable: true, properties: { spec: { type: "object" } } },
  embeddedItems: { type: "array", items: { ...embedded, ...open } },
  textItems: { type: "string", items: text, maxItems: 2 },
  textMembers: { type: "string", properties: { a: text } },
  listMembers: { type: "array", items: text, properties: { a: text } },
  objectItems: { type: "object", items: text },
  keyed: {
    ...{ type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] },
    items: { type: "object", required: ["a"], properties: { a: text, b: { type: "integer", default: 3 } } },
  },
  more: {
    ...{ type: "object", properties: { a: text }, allOf: [{ required: ["a"] }], oneOf: [{ required: ["a"] }] },
    not: { required: ["z"] },
  },
  number: { type: "number", multipleOf: 2, exclusiveMinimum: true, minimum: 0, format: "double" },
  zeros: { type: "integer", minimum: 0, maximum: 0, exclusiveMaximum: false },
  nothing: { type: "object", required: [], properties: {}, enum: [] },
  prose: { type: "string", title: "t", description: "d", example: "e", externalDocs: { url: "https://example.com" } },
  ruled: { type: "object", properties: { a: { ...text, maxLength: 3, ...rule } }, ...rule },
};

/** Cases for a runner of differential areas. */
export async function* cases() {
  const { SEED = "1", COUNT = "60" } = process.env;
  const made = [ofMembers(), ...Array.from({ length: Number(COUNT) }, (_, index) => drawn(Number(SEED), index))];
  yield { name: "definitions", steps: made.map((body) => ({ method: "POST", path: collection, body, quiet: true })) };
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  for (const version of versions) {
    const path = `/openapi/v3/apis/${group}/${version}`;
    const view = (answer) => {
      const { components, paths } = JSON.parse(answer.body.toString());
      return { ...published(components.schemas), ...operations(paths, {}) };
    };
    yield { name: `version 3, ${version}`, independent: true, steps: [{ method: "GET", path, view, ...compared }] };
  }
  const view = (answer) => {
    const { definitions, paths, parameters } = JSON.parse(answer.body.toString());
    return { ...published(definitions), ...operations(paths, parameters) };
  };
  yield { name: "version 2", independent: true, steps: [{ method: "GET", path: "/openapi/v2", view, ...compared }] };
  yield { name: "group", independent: true, steps: [{ method: "GET", path: `/apis/${group}` }] };
  for (const version of versions) {
    const steps = [{ method: "GET", path: `/apis/${group}/${version}`, view: rowsByKind, ...compared }];
    yield { name: `resources of ${version}`, independent: true, steps };
  }
  const headers = { accept: "application/json;v=v2beta1;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList" };
  const steps = [{ method: "GET", path: "/apis", headers, view: aggregated, ...compared }];
  yield { name: "aggregated discovery", independent: true, steps };
  const ends = made.map(({ metadata }) => ({ method: "DELETE", path: `${collection}/${metadata.name}`, quiet: true }));
  yield { name: "the end", steps: ends };
}

function drawn(seed, index) {
  return definition(new Random(seed * 100_003 + index), `r${seed}o${index}s`);
}

function ofMembers() {
  const schema = { type: "object", properties: { spec: { type: "object", properties: members } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `forms.${group}` },
    spec: {
      ...{ group, scope: "Namespaced", names: { plural: "forms", kind: "Form" } },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/** Members that every object has, and so every embedded one. */
const ofEveryObject = new Set(["apiVersion", "kind", "metadata"]);

/** Returns a schema without the prose about members that every object has. */
function withoutProse(schema, name) {
  if (Array.isArray(schema) || typeof schema !== "object" || schema === null) return schema;
  const { description, ...rest } = schema;
  const kept = ofEveryObject.has(name) ? rest : schema;
  return Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, withoutProse(value, key)]));
}

/** Returns the definitions of the group, without the prose about members that every object has; members of `Form` apart. */
function published(definitions) {
  const own = Object.entries(definitions).filter(([name]) => name.startsWith("com.example.random."));
  return Object.fromEntries(
    own.flatMap(([name, { description, properties = {}, ...rest }]) => {
      const { apiVersion, kind, metadata, items, ...others } = withoutProse(properties);
      const whole = [name, { ...rest, names: Object.keys(properties).sort(), others }];
      const parts = Object.entries(others.spec?.properties ?? {}).map(([member, schema]) => [
        `${name}.${member}`,
        schema,
      ]);
      return name.endsWith(".Form") ? parts : [whole];
    }),
  );
}

/** Returns the operations on the paths of the group, without prose; parameters that documents share are put in their places. */
function operations(paths, parameters) {
  const shared = "#/parameters/";
  const inPlace = (value) => {
    if (Array.isArray(value)) return value.map(inPlace);
    if (typeof value !== "object" || value === null) return value;
    if (value.$ref?.startsWith(shared)) return inPlace(parameters[value.$ref.slice(shared.length)]);
    const kept = Object.entries(value).filter(([key, prose]) => key !== "description" || typeof prose !== "string");
    return Object.fromEntries(kept.map(([key, inside]) => [key, inPlace(inside)]));
  };
  return Object.fromEntries(
    Object.entries(paths)
      .filter(([path]) => path.startsWith(`/apis/${group}/`))
      .map(([path, methods]) => [path, inPlace(methods)]),
  );
}

/** Returns the rows of a list of resources by kind: v1.29 has the kinds in the order of a Go map. */
function rowsByKind(answer) {
  const rows = {};
  for (const row of JSON.parse(answer.body.toString()).resources) {
    const [plural] = row.name.split("/");
    rows[plural] = [...(rows[plural] ?? []), row];
  }
  return rows;
}

/** Returns the resources of the group in aggregated discovery, by version and name. */
function aggregated(answer) {
  const found = JSON.parse(answer.body.toString()).items.find(({ metadata }) => metadata.name === group);
  return Object.fromEntries(
    found.versions.flatMap(({ version, resources, ...rest }) => [
      [version, rest],
      ...resources.map((resource) => [`${version} ${resource.resource}`, resource]),
    ]),
  );
}

/** A part for each definition; documents differ in prose, and so in their tags. */
const compared = { split: (definitions) => definitions, exceptHeaders: ["etag"] };
