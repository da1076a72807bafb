import type { StrategyContext } from "@gatehouse/apiserver/registry";
import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { decodeJson, EmbeddedObjectError, readEmbeddedObjects } from "@gatehouse/envelopes/codec";
import { goSyntaxValue } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import type { FieldError } from "@gatehouse/envelopes/status";
import {
  CompiledSchema,
  compileRootSchema,
  costBudgetOfObject,
  embeddedObjectErrors,
  evaluateRules,
  NodeMeter,
  rulesOfSchema,
  toFieldErrors,
  ValidationResult,
  validateValue,
} from "@gatehouse/policies/structural-schemas";
import { isPresent, propertiesOf } from "../../schema/structural-form.js";
import { hasUnknownMembers } from "../../schema/unknown-members.js";

const metadataMembers = new Set(["metadata", "apiVersion", "kind"]);

/** The facts that the validity of defaults depends on. */
export interface DefaultDemands {
  /** True if defaults may have no members that their schema does not know. */
  readonly pruned: boolean;
  /** True if rules with an optional `oldSelf` are evaluated without an old value. */
  readonly evaluatesOptionalOldSelf: boolean;
  readonly metrics: StrategyContext["expressionMetrics"];
}

/** Validates the defaults of a schema: each must be valid by the schema that it stands in, and by its rules. */
export function* validateDefaults(
  schema: JsonObject,
  demands: DefaultDemands,
  path: FieldPath,
  errors: FieldErrors,
): Steps {
  const stated: StatedDefault[] = [];
  visit(schema, { pruned: demands.pruned, isObject: true, inMetadata: false }, path, stated);
  yield;
  const meter = new NodeMeter();
  let budget = costBudgetOfObject;
  for (const found of stated) {
    if (errors.isFull || budget < 0) {
      return;
    }
    if (yield* validateDefault(found, errors, meter)) {
      budget = yield* validateByRules(found, demands, budget, errors);
    }
  }
}

/** Evaluates the rules that a default has to meet. Returns the budget of cost that is left for the next ones. */
function* validateByRules(
  { schema, value, place, path }: StatedDefault,
  { evaluatesOptionalOldSelf, metrics }: DefaultDemands,
  budget: number,
  errors: FieldErrors,
): Steps<number> {
  const rules = rulesOfSchema(schema, place.isObject);
  if (rules === undefined) {
    return budget;
  }
  const options = { compared: undefined, evaluatesOptionalOldSelf, path, budget, metrics };
  const unchanged = yield* evaluateRules(rules, value, { ...options, old: value });
  errors.add(unchanged.errors);
  if (!evaluatesOptionalOldSelf || unchanged.errors.length > 0) {
    return unchanged.budget;
  }
  const introduced = yield* evaluateRules(rules, value, { ...options, old: undefined });
  errors.add(introduced.errors);
  return Math.min(unchanged.budget, introduced.budget);
}

/** Reports whether a default has members that its schema does not know. */
export function hasUnprunedDefaults(schema: JsonObject): boolean {
  const { default: value, items } = schema;
  return (
    (value !== undefined && isPresent(value) && hasUnknownMembers(value, schema)) ||
    (isJsonObject(items ?? null) && hasUnprunedDefaults(items as JsonObject)) ||
    propertiesOf(schema).some(([, property]) => hasUnprunedDefaults(property))
  );
}

interface Place {
  readonly pruned: boolean;
  /** True for the root of an object, which has kind, apiVersion and metadata. */
  readonly isObject: boolean;
  readonly inMetadata: boolean;
}

/** A default, with its schema and path. */
interface StatedDefault {
  readonly schema: JsonObject;
  readonly value: JsonValue;
  readonly place: Place;
  readonly path: FieldPath;
}

/** Adds the defaults of a schema to `stated`, in v1.29's order. */
function visit(schema: JsonObject, place: Place, path: FieldPath, stated: StatedDefault[]): void {
  const isObject = place.isObject || schema["x-kubernetes-embedded-resource"] === true;
  const inMetadata = place.inMetadata && !isObject;
  const { default: value, items } = schema;
  if (value !== undefined && isPresent(value)) {
    stated.push({ schema, value, place: { ...place, isObject, inMetadata }, path: path.child("default") });
  }
  if (items !== undefined && isJsonObject(items)) {
    visit(items, { ...place, isObject: false, inMetadata }, path.child("items"), stated);
  }
  for (const [name, property] of propertiesOf(schema)) {
    const inside = inMetadata || (isObject && metadataMembers.has(name));
    visit(property, { ...place, isObject: false, inMetadata: inside }, path.child("properties").key(name), stated);
  }
}

/** Returns true if its schema allows the default. */
function* validateDefault(
  { schema, value, place: { pruned, isObject, inMetadata }, path }: StatedDefault,
  errors: FieldErrors,
  meter: NodeMeter,
): Steps<boolean> {
  const asObject = isObject ? { ...schema, "x-kubernetes-embedded-resource": true } : schema;
  if (!inMetadata && pruned && hasUnknownMembers(value, asObject)) {
    const message = `Invalid value: ${goSyntaxValue(value)}: must not have unknown fields`;
    errors.add([{ type: "FieldValueInvalid", field: String(path), message }]);
  }
  const inObjects = inMetadata ? [] : yield* readObjects(schema, asObject, path);
  const problems =
    inObjects.length > 0 ? inObjects : yield* valueErrors(schema, schema["default"] ?? null, path, meter);
  errors.add(problems);
  return problems.length === 0;
}

/**
 * Reads the objects inside the default of a node, and leaves their metadata in the definition as they are read: v1.29 drops
 * unknown members there without a word. Returns the errors in kind, apiVersion and metadata. `schema` is that of the node, as
 * that of an object if the node is one.
 */
function* readObjects(node: JsonObject, schema: JsonObject, path: FieldPath): Steps<readonly FieldError[]> {
  yield;
  const root = compileRootSchema({ type: "object", properties: { default: schema } });
  yield;
  const field = (inside: string): string => `${path}${inside.slice("default".length)}`;
  let read: JsonObject;
  try {
    read = readEmbeddedObjects(root, { default: node["default"] ?? null }, decodeJson);
  } catch (error) {
    if (error instanceof EmbeddedObjectError) {
      return [{ type: "FieldValueInvalid", field: field(error.path), message: error.shown }];
    }
    throw error;
  }
  node["default"] = read["default"] ?? null;
  return embeddedObjectErrors(root, read).map((error) => ({ ...error, field: field(error.field) }));
}

function* valueErrors(
  schema: JsonObject,
  value: JsonValue,
  path: FieldPath,
  meter: NodeMeter,
): Steps<readonly FieldError[]> {
  const result = new ValidationResult();
  yield* validateValue(new CompiledSchema(schema, "structural"), value, "", result, meter);
  return toFieldErrors(result.errors).map((error) => ({
    ...error,
    field: error.field === "<nil>" ? String(path) : `${path}.${error.field}`,
  }));
}
