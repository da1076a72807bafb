// Drawn sequences of requests about the life of one to three related objects: creations, writes of every sort, finalizers,
// owners and deletions with drawn options, then the state in which the objects remain and what a watch tells of their life.
// No controllers write meanwhile (`start-with-life-cycles.mjs`). COUNT is the number of sequences, SEED which, KIND a kind that
// all are about.

import { prepared, servedPaths } from "../lib/life-cycles/definitions.mjs";
import { families } from "../lib/life-cycles/families.mjs";
import { view } from "../lib/life-cycles/view.mjs";
import { prepare, untilBoth } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";

export const parallel = 8;
export const comparable = view;

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  const { SEED = "1", COUNT = "500", KIND = "" } = process.env;
  await prepareSides([left, right]);
  yield* sequences({ seed: Number(SEED), count: Number(COUNT), kind: KIND });
}

/** Makes what all sequences share, and waits until it is served. */
export async function prepareSides(sides) {
  await prepare(sides, prepared);
  for (const path of servedPaths) await untilBoth(sides, { method: "GET", path }, ({ status }) => status === 200);
}

/** The sequences of a seed. */
export function* sequences({ seed, count, kind = "" }) {
  for (let i = 0; i < count; i++) {
    const r = new Random(seed * 1_000_003 + i);
    const { name, draw } =
      families.find((family) => family.name === kind) ?? r.weighted(families, ({ weight }) => weight);
    yield { name: `${seed}-${i} ${name}`, steps: draw(r, `life-${seed}-${i}`) };
  }
}
