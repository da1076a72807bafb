import type { JsonObject } from "@gatehouse/envelopes/json";
import type { JsonSchema, ScalarKind } from "@gatehouse/envelopes/schema";
import type { Dialect } from "../dialect.js";

/** A definition whose wire form is not an object of its members. */
export interface SpecialDefinition {
  readonly name: string;
  schema(dialect: Dialect): JsonObject;
  /** IDL names of the messages that the schema refers to. */
  readonly messages?: readonly string[];
  /** Special definitions that the schema refers to. */
  readonly others?: readonly SpecialDefinition[];
}

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
const runtime = "io.k8s.apimachinery.pkg.runtime";
const apiextensions = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";

function special(name: string, description: string, members: JsonObject): SpecialDefinition {
  return { name, schema: () => ({ description, ...members }) };
}

/** Scalars that have a definition of their own; the others are written where they are used. */
export const scalarDefinitions: Readonly<Partial<Record<ScalarKind, SpecialDefinition>>> = {
  time: special(`${meta}.Time`, "A time to the second, in RFC 3339 form.", { type: "string", format: "date-time" }),
  microTime: special(`${meta}.MicroTime`, "A time to the microsecond, in RFC 3339 form.", {
    type: "string",
    format: "date-time",
  }),
  duration: special(`${meta}.Duration`, "A length of time, such as 1h30m or 1.5s.", { type: "string" }),
  quantity: {
    name: "io.k8s.apimachinery.pkg.api.resource.Quantity",
    schema: (dialect) => ({
      description:
        "A fixed-point number with an optional suffix: decimal (n, u, m, k, M, G, T, P, E), binary (Ki, Mi, Gi, Ti, Pi, Ei) " +
        "or an exponent (1e3). It is written in canonical form: the largest suffix that leaves no fraction.",
      ...dialect.quantity,
    }),
  },
  intOrString: {
    name: "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
    schema: (dialect) => ({
      description: "A number, or text such as the name of a port or a percentage.",
      ...dialect.intOrString,
    }),
  },
};

/** The definitions of members that hold any JSON, or any object. */
export const jsonDefinitions: Readonly<Record<JsonSchema["form"], SpecialDefinition>> = {
  value: special(`${apiextensions}.JSON`, "Any JSON value: bool, number, string, null, array or object.", {}),
  fields: special(
    `${meta}.FieldsV1`,
    "A set of fields as a trie: f:<name> is a member, k:<keys> a list item by its keys, v:<value> a list item by its " +
      "value, i:<index> a list item by its place, and a dot the field itself.",
    { type: "object" },
  ),
  embedded: special(`${runtime}.RawExtension`, "An object of any kind.", { type: "object" }),
  envelope: special(`${runtime}.Unknown`, "An object of any kind.", { type: "object" }),
};

const unionDescriptions = {
  schemaOrArray: "A JSON schema, or a list of them.",
  schemaOrBool: "A JSON schema, or a boolean.",
  schemaOrStrings: "A JSON schema, or a list of strings.",
} as const;

/** Returns the definition of a schema or its alternative: OpenAPI says no more than the prose. */
export function unionDefinition(name: string, form: keyof typeof unionDescriptions): SpecialDefinition {
  return special(name, unionDescriptions[form], {});
}

/** The definition of the body of a PATCH request, in any form of patch. */
export const patchDefinition = special(`${meta}.Patch`, "A patch, in the form that its content type says.", {
  type: "object",
});
