import { isJsonObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";

/** Returns `k=v` pairs in order, `<none>` for an empty map. */
export function labelMap(map: JsonValue | undefined): string {
  const text = labelPairs(map).sort().join(",");
  return text === "" ? "<none>" : text;
}

function labelPairs(map: JsonValue | undefined): string[] {
  return isJsonObject(map) ? Object.keys(map).map((key) => `${key}=${textAt(map, key)}`) : [];
}

/**
 * Returns the text of a LabelSelector for tables: `<none>` when it is absent or empty, `<error>` when it is invalid.
 */
export function labelSelector(selector: JsonValue | undefined): string {
  const text = selectorText(selector);
  return text === undefined ? "<error>" : text === "" ? "<none>" : text;
}

/**
 * Returns a LabelSelector in the syntax of the `labelSelector` query parameter, requirements ordered by key. Empty when
 * it selects everything, undefined when a requirement has an unknown operator or the wrong number of values.
 */
export function selectorText(selector: JsonValue | undefined): string | undefined {
  const requirements: { readonly key: string; readonly text: string }[] = [];
  const matchLabels = objectAt(selector, "matchLabels");
  for (const key of Object.keys(matchLabels)) {
    requirements.push({ key, text: `${key}=${textAt(matchLabels, key)}` });
  }
  for (const expression of listAt(selector, "matchExpressions")) {
    const text = requirementText(expression);
    if (text === undefined) {
      return undefined;
    }
    requirements.push({ key: textAt(expression, "key"), text });
  }
  requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return requirements.map((requirement) => requirement.text).join(",");
}

function requirementText(expression: JsonValue): string | undefined {
  const key = textAt(expression, "key");
  const values = listAt(expression, "values").map(String);
  switch (textAt(expression, "operator")) {
    case "In":
      return values.length === 0 ? undefined : `${key} in (${values.sort().join(",")})`;
    case "NotIn":
      return values.length === 0 ? undefined : `${key} notin (${values.sort().join(",")})`;
    case "Exists":
      return values.length === 0 ? key : undefined;
    case "DoesNotExist":
      return values.length === 0 ? `!${key}` : undefined;
    default:
      return undefined;
  }
}

/** Returns the debug form of a LabelSelector, which the table of policy bindings shows in place of the query syntax. */
export function labelSelectorDump(selector: JsonObject): string {
  const matchLabels = objectAt(selector, "matchLabels");
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${textAt(matchLabels, key)},`);
  const expressions = listAt(selector, "matchExpressions").map((expression) => {
    const values = listAt(expression, "values").map(String).join(" ");
    return `LabelSelectorRequirement{Key:${textAt(expression, "key")},Operator:${textAt(expression, "operator")},Values:[${values}],},`;
  });
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
