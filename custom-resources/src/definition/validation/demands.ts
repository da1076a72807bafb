import { isConditionTrue } from "@gatehouse/apiserver/objects";
import { FieldPath } from "@gatehouse/apiserver/validation";
import { isSameState } from "@gatehouse/envelopes/go";
import { type JsonObject, type JsonValue, listAt, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import { newExpressions, storedExpressions } from "@gatehouse/policies/cel";
import { type Environments, rulesOf } from "@gatehouse/policies/structural-schemas";
import { type PatternProblems, storedPatternProblems } from "../../schema/pattern-problems.js";
import { formProblem, isPresent } from "../../schema/structural-form.js";
import { structuralErrors } from "../../schema/structural-validation.js";
import { hasKnownReviewVersion } from "./conversion.js";
import { hasUnprunedDefaults } from "./defaults.js";
import { type InternalSpec, internalSpec, schemasOf } from "./internal-spec.js";
import { hasWrongMapKeys, isNonAtomicSet } from "./list-and-map-types.js";
import type { SchemaDemands } from "./openapi-schema.js";
import { readPatterns, someNode, someNodeOf, someSchema } from "./schema-search.js";

/** Rules that a definition must meet; one that a stored definition breaks already is not enforced. */
export interface Demands {
  readonly schema: SchemaDemands;
  readonly openApiSchema: boolean;
  readonly structural: boolean;
  /** Reports whether a pattern may exceed the size limit of new definitions. */
  readonly acceptsPattern: (pattern: string) => boolean;
  readonly prunedDefaults: boolean;
  readonly knownReviewVersion: boolean;
  /** True if scope and kind may no longer change. */
  readonly immutableNames: boolean;
  /** The functions and types that expressions may use. */
  readonly expressions: Environments;
  /** Reports whether a version is stored with this schema. */
  readonly hasSchema: (version: string, schema: JsonObject) => boolean;
}

/** The rules of a new definition: all of them. */
export const allDemands: Demands = {
  schema: { validTypes: true, atomicSets: true, mapKeys: true },
  openApiSchema: true,
  structural: true,
  acceptsPattern: () => false,
  prunedDefaults: true,
  knownReviewVersion: true,
  immutableNames: false,
  expressions: { ofRule: () => newExpressions, ofMessage: () => newExpressions },
  hasSchema: () => false,
};

/** Returns the rules of a definition that replaces `old`, computed in steps. */
export function* demandsAfter(old: JsonObject): Steps<Demands> {
  const internal = internalSpec(old);
  const schemas = schemasOf(internal);
  const patterns = storedPatternProblems();
  yield* readPatterns(schemas, patterns);
  const isStructuralForm = (schema: JsonObject): boolean => isStructural(schema, patterns);
  const none = function* (isWanted: (node: JsonObject) => boolean): Steps<boolean> {
    return !(yield* someNodeOf(schemas, isWanted));
  };
  return {
    schema: {
      validTypes: yield* none((node) => !validTypes.has(textAt(node, "type"))),
      atomicSets: yield* none(isNonAtomicSet),
      mapKeys: yield* none(hasWrongMapKeys),
    },
    openApiSchema: allHaveSchemas(internal),
    structural: !(yield* someSchema(schemas, (schema) => !isStructuralForm(schema))),
    acceptsPattern: (pattern) => patterns.hasRead(pattern),
    prunedDefaults: !(yield* someSchema(
      schemas,
      (schema) => someNode(schema, statesDefault) && isStructuralForm(schema) && hasUnprunedDefaults(schema),
    )),
    knownReviewVersion: hasKnownReviewVersion(
      listAt(objectAt(old, "spec", "conversion", "webhook"), "conversionReviewVersions"),
    ),
    immutableNames: isConditionTrue(old, "Established"),
    expressions: yield* environmentsAfter(schemas),
    hasSchema: (version, schema) => isSameState(schemaOfVersion(old, version), schema),
  };
}

/** Returns the functions and types for a definition that replaces one with these schemas: it may keep its expressions. */
function* environmentsAfter(schemas: readonly JsonObject[]): Steps<Environments> {
  const rules = new Set<string>();
  // v1.29 keeps the rules of messages in place of their expressions.
  const withMessage = new Set<string>();
  yield* someNodeOf(schemas, (node) => {
    for (const { rule, messageExpression } of rulesOf(node)) {
      rules.add(rule);
      if (messageExpression !== "") {
        withMessage.add(rule);
      }
    }
    return false;
  });
  return {
    ofRule: (rule) => (rules.has(rule) ? storedExpressions : newExpressions),
    ofMessage: (expression) => (withMessage.has(expression) ? storedExpressions : newExpressions),
  };
}

function schemaOfVersion(definition: JsonObject, name: string): JsonValue | undefined {
  const version = listAt(definition, "spec", "versions").find((candidate) => textAt(candidate, "name") === name);
  return valueAt(version, "schema", "openAPIV3Schema");
}

const validTypes = new Set(["", "array", "boolean", "integer", "number", "object", "string"]);

/** Reports whether a node of a schema has a default. */
export function statesDefault(node: JsonObject): boolean {
  return isPresent(node["default"]);
}

/** Reports whether a node of a schema has an extension that only structural schemas can have. */
export function hasKubernetesExtension(node: JsonObject): boolean {
  return (
    node["x-kubernetes-embedded-resource"] === true ||
    node["x-kubernetes-int-or-string"] === true ||
    isPresent(node["x-kubernetes-preserve-unknown-fields"]) ||
    isPresent(node["x-kubernetes-list-type"]) ||
    listAt(node, "x-kubernetes-list-map-keys").length > 0 ||
    listAt(node, "x-kubernetes-validations").length > 0
  );
}

function isStructural(schema: JsonObject, patterns: PatternProblems): boolean {
  return formProblem(schema) === undefined && structuralErrors(schema, FieldPath.of(""), patterns).length === 0;
}

function allHaveSchemas(internal: InternalSpec): boolean {
  const has = (validation: JsonObject | undefined): boolean => isPresent(validation?.["openAPIV3Schema"]);
  return has(internal.validation) || internal.versions.every((version) => has(objectAt(version, "schema")));
}
