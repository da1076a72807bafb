// Drawn budgets over drawn pods of drawn controllers, and changes of all of them: the statuses at which the disruption controller
// arrives, answers of evictions, and events (`start-with-life-cycles.mjs --controllers
// disruption-controller,resourcequota-controller`). COUNT is the number of worlds, SEED which.

import { pauses } from "../lib/life-cycles/steps.mjs";
import { Random } from "../lib/random.mjs";
import { drawChange, settled, told } from "../lib/settled-statuses/budget-changes.mjs";
import { untilScaled } from "../lib/settled-statuses/budget-scales.mjs";
import { drawBudgetWorld, makeBudget } from "../lib/settled-statuses/budget-worlds.mjs";
import { prepareSides } from "./life-cycles.mjs";

export const parallel = 8;

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  const { SEED = "1", COUNT = "60" } = process.env;
  await prepareSides([left, right]);
  await untilScaled([left, right]);
  yield* sequences({ seed: Number(SEED), count: Number(COUNT) });
}

/** The sequences of a seed. */
export function* sequences({ seed, count }) {
  for (let i = 0; i < count; i++) {
    const r = new Random(seed * 1_000_003 + i);
    const world = drawBudgetWorld(r, `budget-${seed}-${i}`);
    const steps = [
      ...world.steps,
      ...pauses(1),
      ...world.budgets.map((name) => makeBudget(r, world, name)),
      ...pauses(4),
      ...settled(world, "made"),
      ...Array.from({ length: 3 + r.int(4) }, (_, at) => [
        ...drawChange(r, world),
        ...settled(world, `change ${at}`),
      ]).flat(),
      ...told(world),
    ];
    // Each state is told in full, and controllers arrive at it from any other one.
    yield { name: `${seed}-${i}`, independent: true, steps };
  }
}
