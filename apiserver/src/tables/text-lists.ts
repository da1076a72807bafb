import { type JsonArray, type JsonValue, textAt } from "@gatehouse/envelopes/json";

/** Returns the first `max` texts, and the number of the others: `a,b,c + 4 more...`. */
export function firstN(max: number, texts: readonly string[]): string {
  const shown = texts.slice(0, max).join(",");
  return texts.length > max ? andMore(shown, texts.length - max) : shown;
}

/** Appends the number of omitted texts: `a,b,c + 4 more...`. */
export function andMore(shown: string, hidden: number): string {
  return `${shown} + ${hidden} more...`;
}

/** Returns the names of containers with commas in between, in the order of the pod. */
export function containerNames(containers: JsonArray): string {
  return joinMember(containers, "name");
}

/** Returns the images of containers with commas in between, in the order of the pod. */
export function containerImages(containers: JsonArray): string {
  return joinMember(containers, "image");
}

function joinMember(items: JsonArray, member: string): string {
  return items.map((item) => textAt(item, member)).join(",");
}

/** Returns `True`, `False`, or `<unset>` for an optional boolean. */
export function optionalBoolean(value: JsonValue | undefined): string {
  return value === true ? "True" : value === false ? "False" : "<unset>";
}

/** Returns a quantity or IntOrString as text; `otherwise` when it is absent. */
export function scalarText(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint"
    ? String(value)
    : otherwise;
}
