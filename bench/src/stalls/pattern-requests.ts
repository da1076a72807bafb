import { definitionsPath } from "../custom-definitions.js";
import { stallDefinition, stallObject, stallPath } from "./stall-definitions.js";
import { type StallRequest, stallNamespace } from "./stall-request.js";

/** The kind of the objects with a text that has to match a pattern whose automaton has many states. */
export const patternDefinition = stallDefinition("Matched", {
  type: "object",
  properties: {
    text: { type: "string", pattern: "(.*a){25}" },
    plain: { type: "string", pattern: "^[a-z]*$" },
    many: { type: "array", items: { type: "string", pattern: "(.*a){1000}" } },
    states: { type: "string", pattern: "[ab]*a[ab]{200}[^ab]" },
    optional: { type: "string", pattern: "^([ab]?){900}[ab]{900}[^ab]" },
    folded: { type: "string", pattern: "(?i)k{0,900}k{0,900}[!-&]" },
    rules: {
      type: "string",
      maxLength: 20_000,
      "x-kubernetes-validations": [{ rule: "self.matches('[ab]*a[ab]{200}[^ab]')" }],
    },
    made: {
      type: "array",
      maxItems: 3000,
      items: { type: "string", maxLength: 20 },
      "x-kubernetes-validations": [{ rule: "self.all(x, !('a'.matches('(.*a){900}' + x)))" }],
    },
  },
});

/** Patterns that are long, or take long to match. */
export const patternRequests: readonly StallRequest[] = [
  define("400 KB of alternatives", () => repeatedAlternatives(400_000)),
  define("400 KB of scripts", () => "\\p{Greek}".repeat(44_000)),
  define("400 KB of names of classes that do not end", () => `[${"[:".repeat(200_000)}`),
  {
    name: "pattern: a definition with 2.5 MB of patterns of 30 KB",
    prepare() {
      const pattern = "\\x{61}".repeat(4900);
      const properties = Array.from({ length: 80 }, (_, index) => [
        `p${index}`,
        { type: "string", pattern: pattern + index },
      ]);
      const { json } = stallDefinition("Patterned", { type: "object", properties: Object.fromEntries(properties) });
      const headers = { "content-type": "application/json" };
      return (target) =>
        target.send({ method: "POST", path: `${definitionsPath}?dryRun=All`, headers, body: Buffer.from(json) });
    },
  },
  match("100 KB against (.*a){25}", () => `"text":"${"b".repeat(100_000)}"`),
  match("100 KB of a against (.*a){25}", () => `"text":"${"a".repeat(100_000)}"`),
  match("20 KB of a against (.*a){25}", () => `"text":"${"a".repeat(20_000)}"`),
  match("900 texts of 500 characters against (.*a){1000}", () => {
    const many = Array.from({ length: 900 }, (_, index) => `"${String(index)}${"ab".repeat(250)}"`);
    return `"many":[${many}]`;
  }),
  match("14 KB against [ab]*a[ab]{200}[^ab]", () => `"states":"${bits(14_500)}"`),
  match("660 characters against ^([ab]?){900}[ab]{900}[^ab]", () => `"optional":"${bits(660)}"`),
  match("830 characters against (?i)k{0,900}k{0,900}[!-&]", () => `"folded":"${"K".repeat(830)}"`),
  match("a rule that matches 14 KB against [ab]*a[ab]{200}[^ab]", () => `"rules":"${bits(14_500)}"`),
  match("a rule that makes 2,000 patterns", () => {
    const made = Array.from({ length: 2000 }, (_, index) => `"${index}"`);
    return `"made":[${made}]`;
  }),
  match("300 KB against ^[a-z]*$", () => `"plain":"${"b".repeat(300_000)}"`),
];

/** Returns a text of a and b in an order that does not repeat soon. */
function bits(length: number): string {
  let state = 12345;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return "ab"[(state >>> 16) & 1];
  }).join("");
}

function repeatedAlternatives(length: number): string {
  let text = "";
  for (let index = 0; text.length < length; index++) {
    text += `|word${index}`;
  }
  return text.slice(1);
}

function define(name: string, makePattern: () => string): StallRequest {
  return {
    name: `pattern: a definition with ${name}`,
    prepare() {
      const pattern = makePattern();
      const { json } = stallDefinition("Patterned", {
        type: "object",
        properties: { text: { type: "string", pattern } },
      });
      const headers = { "content-type": "application/json" };
      return (target) =>
        target.send({ method: "POST", path: `${definitionsPath}?dryRun=All`, headers, body: Buffer.from(json) });
    },
  };
}

function match(name: string, makeSpec: () => string): StallRequest {
  return {
    name: `pattern: ${name}`,
    prepare() {
      const body = Buffer.from(stallObject("Matched", "matched", makeSpec()));
      const path = `${stallPath("Matched", stallNamespace)}?dryRun=All`;
      const headers = { "content-type": "application/json" };
      return (target) => target.send({ method: "POST", path, headers, body });
    },
  };
}
