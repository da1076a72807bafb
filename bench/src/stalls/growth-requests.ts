import { stallDefinition, stallObject, stallPath } from "./stall-definitions.js";
import { repeated, type StallRequest, stallNamespace } from "./stall-request.js";

const defaults = 100;
const text = "x".repeat(1000);

/** The kind of the objects that grow: each item of its list gets 100 defaults of 1 KB. */
export const growingDefinition = stallDefinition("Growing", {
  type: "object",
  properties: {
    items: {
      type: "array",
      items: {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: defaults }, (_, index) => [`d${index}`, { type: "string", default: text }]),
        ),
      },
    },
  },
});

/** Requests that are small and lead to large objects. */
export const growthRequests: readonly StallRequest[] = [
  create("5,000 empty items that get 100 defaults of 1 KB each", 5000),
  create("30,000 empty items that get 100 defaults of 1 KB each", 30_000),
];

function create(name: string, items: number): StallRequest {
  return {
    name: `growth: ${name}`,
    prepare() {
      const body = Buffer.from(stallObject("Growing", "grown", `"items":[${repeated(items, "{},").slice(0, -1)}]`));
      const path = stallPath("Growing", stallNamespace);
      const headers = { "content-type": "application/json" };
      return (target) => target.send({ method: "POST", path, headers, body });
    },
  };
}
