import { type JsonArray, type JsonValue, textAt } from "@gatehouse/envelopes/json";

/** The first `max` texts; the others only as a number: `a,b,c + 4 more...`. */
export function firstN(max: number, texts: readonly string[]): string {
  const shown = texts.slice(0, max).join(",");
  return texts.length > max ? andMore(shown, texts.length - max) : shown;
}

/** Says how many were left out: `a,b,c + 4 more...`. */
export function andMore(shown: string, hidden: number): string {
  return `${shown} + ${hidden} more...`;
}

/** Their names with commas in between, in the order of the pod. */
export function containerNames(containers: JsonArray): string {
  return joinMember(containers, "name");
}

/** Their images with commas in between, in the order of the pod. */
export function containerImages(containers: JsonArray): string {
  return joinMember(containers, "image");
}

function joinMember(items: JsonArray, member: string): string {
  return items.map((item) => textAt(item, member)).join(",");
}

/** `True`, `False`, or `<unset>` for a boolean that need not be there. */
export function optionalBoolean(value: JsonValue | undefined): string {
  return value === true ? "True" : value === false ? "False" : "<unset>";
}

/** A quantity or IntOrString as text; `otherwise` when it is absent. */
export function scalarText(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint"
    ? String(value)
    : otherwise;
}
