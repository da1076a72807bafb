import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { isPresent, propertiesOf } from "../../schema/structural-form.js";

/** Reports whether a path, `.spec.a` or `['a-b']`, leads through a schema to a member. */
export function leadsToField(path: string, schema: JsonObject): boolean {
  let node: JsonObject | undefined = schema;
  let isEmpty = true;
  for (const tokens = [...tokensOf(path)]; tokens.length > 0; ) {
    const first = tokens.shift();
    let name: string | undefined;
    if (first === "[") {
      name = quoted(tokens.shift());
      if (tokens.shift() !== "]") {
        return false;
      }
    } else if (first === ".") {
      name = tokens.shift();
    } else {
      return false;
    }
    if (name === undefined || node === undefined) {
      return false;
    }
    node = memberOf(node, name);
    if (node === undefined) {
      return false;
    }
    isEmpty = false;
  }
  return !isEmpty;
}

function memberOf(node: JsonObject, name: string): JsonObject | undefined {
  const properties = propertiesOf(node);
  if (properties.length > 0) {
    return new Map(properties).get(name);
  }
  const { additionalProperties } = node;
  return isJsonObject(additionalProperties) ? additionalProperties : isPresent(additionalProperties) ? {} : undefined;
}

/** Splits a path into names and the characters `.`, `[` and `]`; text in single quotes is one token. */
function tokensOf(path: string): Iterable<string> {
  return (path.match(/'(?:[^'\\]|\\.)+'|'[\s\S]*|[.[\]]|[^.[\]']+[^.[\]]*/g) ?? []) as string[];
}

function quoted(token: string | undefined): string | undefined {
  return token !== undefined && token.length >= 2 && token.startsWith("'") && token.endsWith("'")
    ? token.slice(1, -1).replace(/\\(['\\])/g, "$1")
    : undefined;
}
