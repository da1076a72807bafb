import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { propertiesOf } from "./declare-schema.js";

/**
 * Returns the normal form of the `fieldPath` of a rule, such as `.spec.a['b']`, by which errors name the field below the
 * place of the rule: `spec.a[b]`. Undefined for a path that leads to no property or entry of the schema.
 */
export function normalFieldPath(path: string, schema: JsonObject): string | undefined {
  let node: JsonObject | undefined = schema;
  let normal = "";
  const tokens = tokensOf(path);
  for (let at = 0; at < tokens.length; ) {
    const isBracketed = tokens[at] === "[";
    const name = isBracketed ? unquoted(tokens[at + 1]) : tokens[at + 1];
    if ((tokens[at] !== "." && !isBracketed) || name === undefined || (isBracketed && tokens[at + 2] !== "]")) {
      return undefined;
    }
    at += isBracketed ? 3 : 2;
    const step: Step | undefined = node && stepTo(node, name);
    if (step === undefined) {
      return undefined;
    }
    node = step.node;
    normal += step.isKey ? `[${name}]` : normal === "" ? name : `.${name}`;
  }
  return normal === "" ? undefined : normal;
}

interface Step {
  readonly node: JsonObject | undefined;
  readonly isKey: boolean;
}

function stepTo(schema: JsonObject, name: string): Step | undefined {
  const properties = propertiesOf(schema);
  if (properties.length > 0) {
    const node = new Map(properties).get(name);
    return node && { node, isKey: false };
  }
  const { additionalProperties } = schema;
  if (additionalProperties === undefined || additionalProperties === null) {
    return undefined;
  }
  return { node: isJsonObject(additionalProperties) ? additionalProperties : undefined, isKey: true };
}

/** Splits a path at `.`, `[` and `]`, which are tokens; a text in single quotes is one token, with its quotes. */
function tokensOf(path: string): readonly string[] {
  const tokens: string[] = [];
  for (let rest = path; rest !== ""; ) {
    const token = rest.startsWith("'") ? quotedAt(rest) : (/^(?:[.[\]]|[^.[\]]+)/.exec(rest)?.[0] ?? rest);
    tokens.push(token);
    rest = rest.slice(token.length);
  }
  return tokens;
}

/** Returns the text in quotes that another text begins with; the whole text if the quotes do not end. */
function quotedAt(text: string): string {
  for (let end = 1; end < text.length; end++) {
    if (text[end] === "'" && text[end - 1] !== "\\") {
      return text.slice(0, end + 1);
    }
  }
  return text;
}

const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

function unquoted(token: string | undefined): string | undefined {
  if (token === undefined || token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return undefined;
  }
  let isValid = true;
  const text = token.slice(1, -1).replace(/\\(.)/g, (_all, character: string) => {
    isValid &&= Object.hasOwn(escapes, character);
    return escapes[character] ?? "";
  });
  return isValid ? text : undefined;
}
