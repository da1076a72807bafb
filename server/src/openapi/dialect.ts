import type { JsonObject } from "@gatehouse/envelopes";

/** The differences between the two OpenAPI versions in stating a schema. */
export interface Dialect {
  readonly version: 2 | 3;
  /** The prefix of a definition's name in a reference. */
  readonly refPrefix: string;
  /** Version 2 is published without defaults: the clients that read it would take them for their own to set. */
  readonly writesDefaults: boolean;
  /** Members that may stand beside a reference are put around it in version 3, which ignores what is beside it. */
  reference(name: string, siblings: JsonObject): JsonObject;
  readonly intOrString: JsonObject;
  readonly quantity: JsonObject;
}

const swaggerPrefix = "#/definitions/";
const componentsPrefix = "#/components/schemas/";

/** Swagger 2.0. */
export const swaggerDialect: Dialect = {
  version: 2,
  refPrefix: swaggerPrefix,
  writesDefaults: false,
  reference: (name, siblings) => ({ ...siblings, $ref: swaggerPrefix + name }),
  intOrString: { type: "string", format: "int-or-string" },
  quantity: { type: "string" },
};

/** OpenAPI 3.0. */
export const openapi3Dialect: Dialect = {
  version: 3,
  refPrefix: componentsPrefix,
  writesDefaults: true,
  reference(name, siblings) {
    const reference = { $ref: componentsPrefix + name };
    return Object.keys(siblings).length === 0 ? reference : { ...siblings, allOf: [reference] };
  },
  intOrString: { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
  quantity: { oneOf: [{ type: "string" }, { type: "number" }] },
};
