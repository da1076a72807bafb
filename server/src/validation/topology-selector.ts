import { type FieldErrors, type FieldPath, validateQualifiedText } from "@gatehouse/apiserver/validation";
import { type JsonArray, type JsonValue, listAt, textAt, textsAt } from "@gatehouse/envelopes/json";

/** Validates topology selector terms, of which one must match a node; no two are equal. */
export function validateTopologySelectorTerms(terms: JsonArray, path: FieldPath, errors: FieldErrors): void {
  // v1.29 compares each term with as many empty terms as there are terms: an empty one duplicates each of them.
  const nothings = terms.length;
  const known = new Map<string, number>();
  for (const [index, term] of terms.entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.index(index);
    validateTerm(term, at, errors);
    const key = keyOf(term);
    const times = (known.get(key) ?? 0) + (key === "" ? nothings : 0);
    for (let time = 0; time < times && !errors.isFull; time++) {
      errors.duplicate(at.child("matchLabelExpressions"), "");
    }
    known.set(key, (known.get(key) ?? 0) + 1);
  }
}

function validateTerm(term: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const keys = new Set<string>();
  for (const [index, requirement] of listAt(term, "matchLabelExpressions").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child("matchLabelExpressions").index(index);
    validateValues(textsAt(requirement, "values"), at.child("values"), errors);
    const key = textAt(requirement, "key");
    validateQualifiedText(key, at.child("key"), errors);
    if (keys.has(key)) {
      errors.duplicate(at.child("key"), key);
    }
    keys.add(key);
  }
}

function validateValues(values: readonly string[], path: FieldPath, errors: FieldErrors): void {
  if (values.length === 0) {
    errors.required(path);
  }
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    if (errors.isFull) {
      return;
    }
    if (seen.has(value)) {
      errors.duplicate(path.index(index), value);
    }
    seen.add(value);
  }
}

/** Returns a key that is equal for terms with equal requirements in any order; empty for a term without any. */
function keyOf(term: JsonValue): string {
  const byKey = new Map(
    listAt(term, "matchLabelExpressions").map((requirement) => [
      textAt(requirement, "key"),
      [...new Set(textsAt(requirement, "values"))].sort(),
    ]),
  );
  return byKey.size === 0 ? "" : JSON.stringify([...byKey].sort(([a], [b]) => (a < b ? -1 : 1)));
}
