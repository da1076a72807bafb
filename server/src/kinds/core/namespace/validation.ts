import {
  checkKnownFinalizer,
  checkQualifiedName,
  type FieldError,
  fieldError,
  hasEnoughErrors,
  type JsonObject,
} from "@gatehouse/envelopes";
import { isSet, listAt, textAt } from "../../../objects/json-fields.js";

/** Finalizers of the namespace's own are those of the control plane, or have a domain. */
export function validateNamespace(namespace: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, item] of listAt(namespace, "spec", "finalizers").entries()) {
    if (hasEnoughErrors(errors)) {
      break;
    }
    const name = String(item);
    const problems = [...checkQualifiedName(name), ...checkKnownFinalizer(name)];
    errors.push(...problems.map((problem) => fieldError.invalid(`spec.finalizers[${index}]`, name, problem)));
  }
  return errors;
}

/** The phase says whether the namespace is being deleted, and nothing else. */
export function validateNamespaceUpdate(namespace: JsonObject): readonly FieldError[] {
  const isDeleted = isSet(namespace, "metadata", "deletionTimestamp");
  const expected = isDeleted ? "Terminating" : "Active";
  const phase = textAt(namespace, "status", "phase");
  return phase === expected
    ? []
    : [
        fieldError.invalid(
          // In capitals, as v1.29 has it.
          "status.Phase",
          phase,
          `may only be '${expected}' if \`deletionTimestamp\` is ${isDeleted ? "not empty" : "empty"}`,
        ),
      ];
}
