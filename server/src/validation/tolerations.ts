import { type FieldErrors, type FieldPath, validateQualifiedText } from "@gatehouse/apiserver/validation";
import { goSyntax } from "@gatehouse/envelopes/go";
import { isSet, type JsonArray, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { validateLabelValue } from "@gatehouse/envelopes/validation";

/** Taint effects, as v1.29 lists them. */
const taintEffects: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Validates the tolerations of a pod or runtime class. */
export function validateTolerations(tolerations: JsonArray, path: FieldPath, errors: FieldErrors): void {
  for (const [index, toleration] of tolerations.entries()) {
    if (errors.isFull) {
      return;
    }
    validateToleration(toleration, path.index(index), errors);
  }
}

function validateToleration(toleration: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const key = textAt(toleration, "key");
  const operator = textAt(toleration, "operator");
  const effect = textAt(toleration, "effect");
  if (key !== "") {
    validateQualifiedText(key, path.child("key"), errors);
  } else if (operator !== "Exists") {
    const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.invalid(path.child("operator"), operator, detail);
  }
  if (isSet(toleration, "tolerationSeconds") && effect !== "NoExecute") {
    errors.invalid(path.child("effect"), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  validateOperator(toleration, operator, path.child("operator"), errors);
  if (effect !== "" && !taintEffects.includes(effect)) {
    errors.notSupported(path.child("effect"), effect, taintEffects);
  }
}

/** Validates the operator of a toleration; an empty one means `Equal`. Errors in the value are at the operator, too. */
function validateOperator(toleration: JsonValue, operator: string, path: FieldPath, errors: FieldErrors): void {
  const value = textAt(toleration, "value");
  switch (operator) {
    case "":
    case "Equal": {
      const problems = validateLabelValue(value);
      if (problems.length > 0) {
        errors.invalid(path, value, problems.join(";"));
      }
      break;
    }
    case "Exists":
      if (value !== "") {
        const shown = goSyntax("k8s.io.api.core.v1.Toleration", toleration);
        errors.invalidShown(path, shown, "value must be empty when `operator` is 'Exists'");
      }
      break;
    default:
      errors.notSupported(path, operator, ["Equal", "Exists"]);
  }
}
