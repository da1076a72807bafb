import {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  objectAt,
  textAt,
  textsAt,
} from "@gatehouse/envelopes/json";
import type { GroupVersionKind } from "@gatehouse/envelopes/schema";
import type { PublishedSchema, ServedGroupVersion } from "../../discovery/served-api.js";
import type { Dialect } from "../dialect.js";
import { customDefinitionName, definitionName } from "./definition-name.js";
import { withEmbeddedMembers } from "./embedded-members.js";
import { notInSwagger } from "./not-in-swagger.js";
import type { SpecialDefinition } from "./special-definitions.js";

const objectMeta = "k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const listMeta = "k8s.io.apimachinery.pkg.apis.meta.v1.ListMeta";

const typeMeta: JsonObject = {
  apiVersion: {
    description:
      "APIVersion defines the group and version that this object is written in. Servers convert what they know and reject other values.",
    type: "string",
  },
  kind: {
    description:
      "What kind of object this is, in CamelCase. It cannot be changed, and servers may infer it from the path.",
    type: "string",
  },
};

/**
 * Returns the definitions of the custom kinds of a group version and of their lists, by kind. One whose name is taken becomes
 * `NAME_v2`.
 */
export function customDefinitions(
  served: ServedGroupVersion,
  isTaken: (name: string) => boolean,
): ReadonlyMap<string, SpecialDefinition> {
  const { group, version } = served;
  const nameOf = (kind: string): string => {
    const name = customDefinitionName(group, version, kind);
    return isTaken(name) ? `${name}_v2` : name;
  };
  const definitions = new Map<string, SpecialDefinition>();
  for (const { kind, openAPIV3Schema } of served.resources) {
    if (openAPIV3Schema === undefined) {
      continue;
    }
    const listKind = `${kind}List`;
    const one = customKind(nameOf(kind), { group, version, kind }, openAPIV3Schema);
    definitions.set(kind, one);
    definitions.set(listKind, customList(nameOf(listKind), { group, version, kind: listKind }, kind, one));
  }
  return definitions;
}

function customKind(
  name: string,
  gvk: Readonly<GroupVersionKind>,
  openAPIV3Schema: PublishedSchema,
): SpecialDefinition {
  return {
    name,
    messages: [objectMeta],
    schema(dialect) {
      return {
        ...publishedSchema(openAPIV3Schema(dialect.version), dialect),
        "x-kubernetes-group-version-kind": [{ ...gvk }],
      };
    },
  };
}

function publishedSchema(stated: JsonObject | undefined, dialect: Dialect): JsonObject {
  if (stated === undefined || (dialect.version === 2 && stated["x-kubernetes-preserve-unknown-fields"] === true)) {
    // Clients that validate by version 2 would take the members that are told about for all there are.
    return { type: "object" };
  }
  const metadata = dialect.reference(definitionName(objectMeta), { description: "Standard object's metadata." });
  const published = publishedNode(stated);
  const own = withEmbeddedMembers(dialect.version === 2 ? toSwagger(published) : published, dialect, {
    ...typeMeta,
    metadata,
  });
  const properties = isJsonObject(own["properties"]) ? own["properties"] : undefined;
  return { ...own, type: "object", properties: { ...properties, ...typeMeta, metadata } };
}

function customList(
  name: string,
  gvk: Readonly<GroupVersionKind>,
  kind: string,
  one: SpecialDefinition,
): SpecialDefinition {
  return {
    name,
    messages: [listMeta],
    others: [one],
    schema: (dialect) => ({
      description: `${gvk.kind} is a list of ${kind}`,
      type: "object",
      required: ["items"],
      properties: {
        ...typeMeta,
        items: { description: "The objects.", type: "array", items: dialect.reference(one.name, {}) },
        metadata: dialect.reference(definitionName(listMeta), { description: "Standard metadata of the list." }),
      },
      "x-kubernetes-group-version-kind": [{ ...gvk }],
    }),
  };
}

/** Keywords of a definition that v1.29 does not publish. */
const unpublished: ReadonlySet<string> = new Set(["example", "externalDocs"]);

/** Returns a schema as v1.29 publishes it, before what one version of OpenAPI cannot say is left out. */
function publishedNode(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([key]) => !unpublished.has(key));
  const node = Object.fromEntries(kept.map(([key, value]) => [key, mapNested(key, value ?? null, publishedNode)]));
  return node["x-kubernetes-int-or-string"] === true ? withBothTypes(node) : node;
}

const bothTypes: JsonArray = [{ type: "integer" }, { type: "string" }];

/** Adds the types of a number or text for those who do not know the extension, unless the schema states them. */
function withBothTypes(node: JsonObject): JsonObject {
  const { anyOf, allOf } = node;
  const all = Array.isArray(allOf) ? allOf : [];
  const [first] = all;
  if (isBothTypes(anyOf) || (isJsonObject(first) && isBothTypes(first["anyOf"]))) {
    return node;
  }
  return anyOf === undefined ? { ...node, anyOf: bothTypes } : { ...node, allOf: [{ anyOf: bothTypes }, ...all] };
}

function isBothTypes(value: JsonValue | undefined): boolean {
  return (
    Array.isArray(value) &&
    value.length === bothTypes.length &&
    value.every((item, index) => textAt(item, "type") === textAt(bothTypes[index], "type"))
  );
}

/**
 * Returns the part of a custom kind's schema that clients of version 2 can use. They validate strictly by it, so a
 * value that Swagger 2.0 cannot describe has no type there: one that may be null, a number or a string, or anything at
 * all. A member that may be null is not required.
 */
function toSwagger(schema: JsonObject): JsonObject {
  const open = schema["nullable"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
  const untyped = open || schema["x-kubernetes-int-or-string"] === true;
  const kept = Object.entries(schema).filter(
    ([key]) => !notInSwagger.has(key) && !(untyped && key === "type") && !(open && members.has(key)),
  );
  const node = Object.fromEntries(kept.map(([key, value]) => [key, mapNested(key, value ?? null, toSwagger)]));
  return open ? node : withoutRequiredNulls(node, schema);
}

/** Removes the names of members that may be null from those that version 2 requires. */
function withoutRequiredNulls({ required: _, ...node }: JsonObject, schema: JsonObject): JsonObject {
  const required = textsAt(schema, "required").filter(
    (name) => objectAt(schema, "properties", name)["nullable"] !== true,
  );
  return required.length === 0 ? node : { ...node, required };
}

/** Keywords that say what is inside a value, and are left out where it may be something else. */
const members = new Set(["properties", "items"]);

/** Returns the value of a keyword with the schemas in it mapped, if it says what is inside a value. */
function mapNested(key: string, value: JsonValue, map: (schema: JsonObject) => JsonObject): JsonValue {
  if (!isJsonObject(value)) {
    return value;
  }
  if (key === "items" || key === "additionalProperties") {
    return map(value);
  }
  if (key === "properties") {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, isJsonObject(member) ? map(member) : (member ?? {})]),
    );
  }
  return value;
}
