import { type FieldErrors, type FieldPath, validateFormat } from "@gatehouse/apiserver/validation";
import { goDate, goLiteral, goQuote } from "@gatehouse/envelopes/go";
import { isSet, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { validateLabelValue, validateQualifiedName } from "@gatehouse/envelopes/validation";

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Validates taints: no two have the same key and effect. */
export function validateTaints(taints: readonly JsonValue[], path: FieldPath, errors: FieldErrors): void {
  const known = new Set<string>();
  for (const [index, taint] of taints.entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.index(index);
    const key = textAt(taint, "key");
    const effect = textAt(taint, "effect");
    validateFormat(key, validateQualifiedName, at.child("key"), errors);
    const problems = validateLabelValue(textAt(taint, "value"));
    if (problems.length > 0) {
      errors.invalid(at.child("value"), textAt(taint, "value"), problems.join(";"));
    }
    if (effect === "") {
      errors.required(at.child("effect"));
    } else if (!effects.includes(effect)) {
      errors.notSupported(at.child("effect"), effect, effects);
    }
    const identity = JSON.stringify([effect, key]);
    if (known.has(identity)) {
      errors.duplicateShown(at, goTaint(taint), "taints must be unique by key and effect pair");
    }
    known.add(identity);
  }
}

function goTaint(taint: JsonValue): string {
  return goLiteral("core.Taint", {
    Key: goQuote(textAt(taint, "key")),
    Value: goQuote(textAt(taint, "value")),
    Effect: goQuote(textAt(taint, "effect")),
    TimeAdded: isSet(taint, "timeAdded") ? goDate(textAt(taint, "timeAdded")) : "<nil>",
  });
}
