import type { JsonArray, JsonObject } from "@gatehouse/envelopes/json";
import { apiVersionOf, type ObjectSchema } from "@gatehouse/envelopes/schema";
import type { ScalePaths } from "@gatehouse/policies/structural-schemas";
import { compileRootSchema } from "@gatehouse/policies/structural-schemas";
import { defineResource, type KindDefinition } from "../registry/define-resource.js";
import type { ResourceDefinition } from "../registry/resource-definition.js";
import { lazySchemas } from "../structural-schemas/lazy-schemas.js";
import { SchemaRules, type ValidateFurther } from "../structural-schemas/schema-rules.js";
import { schemaValidation } from "../structural-schemas/schema-validation.js";
import { printerTable } from "../tables/printer-columns.js";

/** The names of a resource, its shape and what clients see of it. */
export interface ResourceShape {
  /** The API group: `wardle.example.com`. */
  readonly group: string;
  readonly version: string;
  /** The resource name as in paths: plural, lower case. */
  readonly resource: string;
  readonly kind: string;
  /** The singular name; the kind in lower case when absent. */
  readonly singular?: string;
  /** True if objects are in namespaces. */
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** The structural schema of the objects, as a CustomResourceDefinition states it; any object is taken when absent. */
  readonly schema?: JsonObject;
  /** The columns of tables behind the name; the age when absent. */
  readonly columns?: readonly Column[];
}

/** A column of tables, as the `additionalPrinterColumns` of a CustomResourceDefinition. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  /** The path of the value: `.spec.color`. */
  readonly jsonPath: string;
  readonly description?: string;
  /** Columns of a priority above 0 are shown by `-o wide` only. */
  readonly priority?: number;
}

/** The schema of resources that state none. */
const anyObject: JsonObject = Object.freeze({
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
}) as JsonObject;

/** The rules of a schema that its document does not state. */
export interface FurtherRules {
  readonly scale?: ScalePaths | undefined;
  readonly validate?: ValidateFurther | undefined;
}

/**
 * Returns the definition of a resource with a schema; `departures` are the members that its sort of resource states. Throws
 * a TypeError for a rule in CEL that no server would accept.
 */
export function defineShape(
  shape: ResourceShape,
  departures: Partial<KindDefinition>,
  { scale, validate }: FurtherRules = {},
): ResourceDefinition {
  const { group, version, kind, resource, namespaced, columns = [], schema: source = anyObject } = shape;
  const gvk = { group, version, kind };
  let compiled: ObjectSchema | undefined;
  const schema = (): ObjectSchema => {
    compiled ??= compileRootSchema(source);
    return compiled;
  };
  const rules = new SchemaRules({
    group,
    kind,
    apiVersion: apiVersionOf(gvk),
    source: () => source,
    schema,
    scale,
    ...(validate === undefined ? {} : { validate }),
  });
  rules.checkExpressions();
  return defineResource(group, version, {
    resource,
    kind,
    namespaced,
    singular: shape.singular ?? kind.toLowerCase(),
    shortNames: shape.shortNames ?? [],
    categories: shape.categories ?? [],
    unstructured: {
      schemas: lazySchemas(gvk, `${kind}List`, schema),
      storedApiVersion: apiVersionOf(gvk),
      // The schema never changes while the server runs; computed objects have the revision 0.
      unchangedSince: -1,
      schemaOf: (apiVersion) => (apiVersion === apiVersionOf(gvk) ? schema() : undefined),
      convert: undefined,
    },
    fields: {},
    table: printerTable(columns as unknown as JsonArray),
    custom: {
      isTerminating: false,
      openAPIV3Schema: () => source,
      validation: schemaValidation(rules),
    },
    ...departures,
  });
}
