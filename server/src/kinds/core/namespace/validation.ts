import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, textAt, textsAt } from "@gatehouse/envelopes/json";
import { validateKnownFinalizer, validateQualifiedName } from "@gatehouse/envelopes/validation";

const finalizersPath = FieldPath.of("spec").child("finalizers");

/** Rules of Namespace: finalizers of its own, and a phase that fits its deletion. */
export const namespaceValidation: KindValidation = {
  create: (namespace, errors) => validateFinalizers(namespace, () => finalizersPath, errors),
  update(namespace, _old, errors) {
    errors.recheckMetadata("object");
    validateFinalizers(namespace, () => finalizersPath, errors);
    errors.recheckMetadata("change");
  },
  subresources: {
    status(namespace, _old, errors) {
      errors.recheckMetadata("change");
      validatePhase(namespace, errors);
    },
    finalize(namespace, _old, errors) {
      errors.recheckMetadata("change");
      // v1.29 names the index only here.
      validateFinalizers(namespace, (index) => finalizersPath.index(index), errors);
    },
  },
};

/** Validates a namespace's own finalizers: those of the control plane, or names with a domain. */
function validateFinalizers(namespace: JsonObject, pathOf: (index: number) => FieldPath, errors: FieldErrors): void {
  for (const [index, name] of textsAt(namespace, "spec", "finalizers").entries()) {
    if (errors.isFull) {
      return;
    }
    errors.invalidText(pathOf(index), name, [...validateQualifiedName(name), ...validateKnownFinalizer(name)]);
  }
}

function validatePhase(namespace: JsonObject, errors: FieldErrors): void {
  const isDeleted = isSet(namespace, "metadata", "deletionTimestamp");
  const expected = isDeleted ? "Terminating" : "Active";
  const phase = textAt(namespace, "status", "phase");
  if (phase !== expected) {
    const detail = `may only be '${expected}' if \`deletionTimestamp\` is ${isDeleted ? "not empty" : "empty"}`;
    // Capitalized as in v1.29.
    errors.invalid(FieldPath.of("status").child("Phase"), phase, detail);
  }
}
