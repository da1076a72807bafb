import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** `top` laid over `base`: members of structs by name, items of lists by place, everything else replaced. */
export function overlay<Value extends JsonValue>(base: Value, top: JsonValue | undefined): Value {
  return lay(base, top) as Value;
}

function lay(base: JsonValue | undefined, top: JsonValue | undefined): JsonValue | undefined {
  if (top === undefined) {
    return base;
  }
  if (Array.isArray(top) && Array.isArray(base)) {
    const length = Math.max(base.length, top.length);
    return Array.from({ length }, (_item, index) => lay(base[index], top[index]) as JsonValue);
  }
  if (isJsonObject(top) && isJsonObject(base)) {
    const result: JsonObject = { ...base };
    for (const [name, value] of Object.entries(top)) {
      result[name] = lay(base[name], value);
    }
    return result;
  }
  return top;
}

/** Every text in a value with all placeholders replaced. */
export function substitute<Value extends JsonValue>(
  value: Value,
  replacements: Readonly<Record<string, string>>,
): Value {
  return JSON.parse(substituteText(JSON.stringify(value), replacements)) as Value;
}

export function substituteText(text: string, replacements: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [placeholder, replacement] of Object.entries(replacements)) {
    result = result.replaceAll(placeholder, replacement);
  }
  return result;
}

/** The value without what stands at the paths (`status.phase`). */
export function without(object: JsonObject, paths: readonly string[]): JsonObject {
  const copy = structuredClone(object);
  for (const path of paths) {
    const names = path.split(".");
    const last = names.pop() as string;
    let holder: JsonValue | undefined = copy;
    for (const name of names) {
      holder = isJsonObject(holder) ? holder[name] : undefined;
    }
    if (isJsonObject(holder)) {
      delete holder[last];
    }
  }
  return copy;
}
