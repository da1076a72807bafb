import type { JsonObject } from "@gatehouse/envelopes/json";

/** The differences between the two OpenAPI versions in stating a schema. */
export interface Dialect {
  readonly version: 2 | 3;
  /** The prefix of a definition's name in a reference. */
  readonly refPrefix: string;
  /** True if defaults are published. Version 2 has none: its clients would apply them themselves. */
  readonly writesDefaults: boolean;
  /** True if the values of closed sets are published (the feature OpenAPIEnums). */
  readonly writesEnums: boolean;
  /**
   * Returns a reference with `siblings` beside it; version 3 ignores siblings, so that they are put around it there.
   */
  reference(name: string, siblings: JsonObject): JsonObject;
  readonly intOrString: JsonObject;
  readonly quantity: JsonObject;
}

const swaggerPrefix = "#/definitions/";
const componentsPrefix = "#/components/schemas/";

/** The dialect of Swagger 2.0. */
export const swaggerDialect: Dialect = {
  version: 2,
  refPrefix: swaggerPrefix,
  writesDefaults: false,
  writesEnums: true,
  reference: (name, siblings) => ({ ...siblings, $ref: swaggerPrefix + name }),
  intOrString: { type: "string", format: "int-or-string" },
  quantity: { type: "string" },
};

/** The dialect of OpenAPI 3.0. */
export const openapi3Dialect: Dialect = {
  version: 3,
  refPrefix: componentsPrefix,
  writesDefaults: true,
  writesEnums: true,
  reference(name, siblings) {
    const reference = { $ref: componentsPrefix + name };
    return Object.keys(siblings).length === 0 ? reference : { ...siblings, allOf: [reference] };
  },
  intOrString: { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] },
  quantity: { oneOf: [{ type: "string" }, { type: "number" }] },
};
