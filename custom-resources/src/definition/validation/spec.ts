import type { StrategyContext } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { booleanAt, isSet, type JsonObject, listAt, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import { validateDns1035Label, validateDns1123Subdomain } from "@gatehouse/envelopes/validation";
import { validateConversion } from "./conversion.js";
import { validateValidation } from "./custom-resource-validation.js";
import { type Demands, hasKubernetesExtension, statesDefault } from "./demands.js";
import { goVersions } from "./go-versions.js";
import { type InternalSpec, internalSpec, schemasOf } from "./internal-spec.js";
import { requireNames, validateNames } from "./names.js";
import { validatePrinterColumns } from "./printer-columns.js";
import { someNodeOf } from "./schema-search.js";
import { hasStatus, validateSubresources } from "./subresources.js";
import { validateVersion } from "./versions.js";

const path = FieldPath.of("spec");

/** Validates the whole spec, in v1.29's order. */
export function* validateSpec(
  definition: JsonObject,
  demands: Demands,
  { features, expressionMetrics: metrics }: StrategyContext,
  errors: FieldErrors,
): Steps {
  const internal = internalSpec(definition);
  const { spec, versions } = internal;
  validateGroup(textAt(spec, "group"), errors);
  validateScope(textAt(spec, "scope"), errors);
  const preserves = booleanAt(spec, "preserveUnknownFields");
  validateSchemasAreThere(internal, demands, preserves, errors);
  const schemas = schemasOf(internal);
  const anyDefaults = yield* someNodeOf(schemas, statesDefault);
  if (anyDefaults && preserves) {
    errors.invalid(path.child("preserveUnknownFields"), true, "must be false in order to use defaults in the schema");
  }
  const structural =
    demands.structural || !preserves || anyDefaults || (yield* someNodeOf(schemas, hasKubernetesExtension));
  const evaluatesOptionalOldSelf = features.enabled("CRDValidationRatcheting");
  const context = { demands, structural, evaluatesOptionalOldSelf, metrics };
  for (const [index, version] of versions.entries()) {
    yield* validateVersion(version, context, internal.subresources, path.child("versions").index(index), errors);
  }
  validateVersionsTogether(internal, errors);
  const names = objectAt(spec, "names");
  requireNames(names, path.child("names"), errors);
  validateNames(names, path.child("names"), errors);
  const anyStatus =
    hasStatus(internal.subresources) || versions.some((version) => hasStatus(objectAt(version, "subresources")));
  yield* validateValidation(
    internal.validation,
    { ...context, hasStatus: anyStatus, version: textAt(versions[0], "name") },
    path.child("validation"),
    errors,
  );
  validateSubresources(internal.subresources, path.child("subresources"), errors);
  validatePrinterColumns(internal.additionalPrinterColumns, path.child("additionalPrinterColumns"), errors);
  const conversion = objectAt(spec, "conversion");
  const strategy = textAt(conversion, "strategy");
  if (isSet(spec, "conversion")) {
    if (strategy !== "None" && preserves) {
      const detail = "must be None if spec.preserveUnknownFields is true";
      errors.invalid(path.child("conversion").child("strategy"), strategy, detail);
    }
    validateConversion(conversion, demands.knownReviewVersion, path.child("conversion"), errors);
  }
}

function validateGroup(group: string, errors: FieldErrors): void {
  const problems = validateDns1123Subdomain(group);
  if (group === "") {
    errors.required(path.child("group"));
  } else if (problems.length > 0) {
    errors.invalid(path.child("group"), group, problems.join(","));
  } else if (!group.includes(".")) {
    errors.invalid(path.child("group"), group, "should be a domain with at least one dot");
  }
}

function validateScope(scope: string, errors: FieldErrors): void {
  if (scope === "") {
    errors.required(path.child("scope"));
  } else if (scope !== "Cluster" && scope !== "Namespaced") {
    errors.notSupported(path.child("scope"), scope, ["Cluster", "Namespaced"]);
  }
}

function validateSchemasAreThere(
  { versions, validation }: InternalSpec,
  demands: Demands,
  preserves: boolean,
  errors: FieldErrors,
): void {
  if (isSet(validation, "openAPIV3Schema") || (!demands.openApiSchema && preserves)) {
    return;
  }
  for (const [index, version] of versions.entries()) {
    const isMissing = !isSet(valueAt(version, "schema"), "openAPIV3Schema");
    const at = path.child("versions").index(index).child("schema").child("openAPIV3Schema");
    if (isMissing && demands.openApiSchema) {
      errors.required(at, "schemas are required");
    } else if (isMissing && booleanAt(version, "served")) {
      errors.required(at, "because otherwise all fields are pruned");
    }
  }
}

function validateVersionsTogether({ spec, versions }: InternalSpec, errors: FieldErrors): void {
  const names = versions.map((version) => textAt(version, "name"));
  const wrong = (detail: string): void => {
    const shown = goVersions(versions, isSet(spec, "versions"));
    errors.add([{ type: "FieldValueInvalid", field: "spec.versions", message: `Invalid value: ${shown}: ${detail}` }]);
  };
  if (new Set(names).size < names.length) {
    wrong("must contain unique version names");
  }
  if (versions.filter((version) => booleanAt(version, "storage")).length !== 1) {
    wrong("must have exactly one version marked as storage version");
  }
  // In v1.29's own form, the first version is also in `spec.version`.
  const first = names[0] ?? "";
  const problems = first === "" ? [] : validateDns1035Label(first);
  if (problems.length > 0) {
    errors.invalid(path.child("version"), first, problems.join(","));
  }
}

/**
 * Validates that an update changes neither group nor plural and, once the definition is established, neither scope nor
 * kind.
 */
export function validateSpecUpdate(
  definition: JsonObject,
  old: JsonObject,
  demands: Demands,
  errors: FieldErrors,
): void {
  const immutable = (...members: string[]): void => {
    const value = textAt(definition, "spec", ...members);
    if (value !== textAt(old, "spec", ...members)) {
      const at = members.reduce((parent, member) => parent.child(member), path);
      errors.invalid(at, value, "field is immutable");
    }
  };
  if (demands.immutableNames) {
    immutable("scope");
    immutable("names", "kind");
  }
  immutable("group");
  immutable("names", "plural");
}

/** Validates the accepted names in the status. */
export function validateStatus(definition: JsonObject, errors: FieldErrors): void {
  validateNames(objectAt(definition, "status", "acceptedNames"), FieldPath.of("status").child("acceptedNames"), errors);
}

/** Validates the stored versions: all are versions of the definition, and the storage version is among them. */
export function validateStoredVersions(definition: JsonObject, errors: FieldErrors): void {
  const at = FieldPath.of("status").child("storedVersions");
  const stored = listAt(definition, "status", "storedVersions").map(String);
  if (stored.length === 0) {
    const shown = isSet(objectAt(definition, "status"), "storedVersions") ? "[]string{}" : "[]string(nil)";
    const message = `Invalid value: ${shown}: must have at least one stored version`;
    errors.add([{ type: "FieldValueInvalid", field: String(at), message }]);
    return;
  }
  const places = new Map(stored.map((name, index) => [name, index]));
  for (const version of listAt(definition, "spec", "versions")) {
    const name = textAt(version, "name");
    // Of two versions of one name, v1.29 finds only the first.
    if (!places.delete(name) && booleanAt(version, "storage")) {
      errors.invalid(at, stored, `must have the storage version ${name}`);
    }
  }
  for (const [name, index] of places) {
    errors.invalid(at.index(index), name, "must appear in spec.versions");
  }
}
