// Drawn graphs of owners and dependents, of built-in and custom kinds, with and without a namespace, with mistakes and cycles:
// what the garbage collector and the namespace controller leave of them after drawn deletions, and once nothing holds them any
// more (`start-with-life-cycles.mjs --controllers yes`). COUNT is the number of graphs, SEED which.

import { drawEnd, drawGraph, release, remains } from "../lib/life-cycles/owner-graphs.mjs";
import { prepare, untilBoth } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";
import { prepareSides } from "./life-cycles.mjs";

export const parallel = 8;

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  const { SEED = "1", COUNT = "100" } = process.env;
  await prepareSides([left, right]);
  await untilCollected([left, right]);
  yield* sequences({ seed: Number(SEED), count: Number(COUNT) });
}

/** The sequences of a seed. */
export function* sequences({ seed, count }) {
  for (let i = 0; i < count; i++) {
    const r = new Random(seed * 1_000_003 + i);
    const graph = drawGraph(r, `graph-${seed}-${i}`);
    const made = graph.steps.map((step) => ({ ...step, quiet: true }));
    const steps = [
      ...made,
      ...drawEnd(r, graph),
      ...remains(graph, "deleted"),
      ...release(graph),
      ...remains(graph, "released"),
    ];
    // Each part is a state of its own.
    yield { name: `${seed}-${i}`, independent: true, steps };
  }
}

/** Waits until the collectors of the servers know the custom kinds: v1.29's looks for new ones every half a minute. */
async function untilCollected(sides) {
  const collection = "/apis/life.example.com/v1/gadgets";
  const owner = { apiVersion: "v1", kind: "Namespace", name: "absent", uid: "00000000-0000-0000-0000-000000000000" };
  const name = `known-${Date.now()}`;
  const body = { apiVersion: "life.example.com/v1", kind: "Gadget", metadata: { name, ownerReferences: [owner] } };
  await prepare(sides, [{ path: collection, body }]);
  await untilBoth(sides, { method: "GET", path: `${collection}/${name}` }, ({ status }) => status === 404, 70);
}
