import { definitionsPath } from "../custom-definitions.js";
import { stallDefinition, stallObject, stallPath } from "./stall-definitions.js";
import { type StallRequest, stallNamespace } from "./stall-request.js";

/** The kind of the objects with a text that has to match a pattern whose automaton has many states. */
export const patternDefinition = stallDefinition("Matched", {
  type: "object",
  properties: { text: { type: "string", pattern: "(.*a){25}" }, plain: { type: "string", pattern: "^[a-z]*$" } },
});

/** Patterns that are long, or take long to match. */
export const patternRequests: readonly StallRequest[] = [
  define("400 KB of alternatives", () => repeatedAlternatives(400_000)),
  define("400 KB of characters", () => "a".repeat(400_000)),
  match("100 KB against (.*a){25}", () => `"text":"${"b".repeat(100_000)}"`),
  match("100 KB of a against (.*a){25}", () => `"text":"${"a".repeat(100_000)}"`),
  match("300 KB against ^[a-z]*$", () => `"plain":"${"b".repeat(300_000)}"`),
];

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
