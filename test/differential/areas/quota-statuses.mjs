// Drawn quotas and objects of all kinds that they count, and changes of both: the usage at which the quota controller arrives,
// and what admission refuses with it (`start-with-life-cycles.mjs --controllers
// disruption-controller,resourcequota-controller`). COUNT is the number of worlds, SEED which.

import { pauses } from "../lib/life-cycles/steps.mjs";
import { prepare, untilBoth } from "../lib/prepare-sides.mjs";
import { Random } from "../lib/random.mjs";
import { shared } from "../lib/settled-statuses/counted-objects.mjs";
import { anyRefusal, drawChange, recount, usage } from "../lib/settled-statuses/quota-changes.mjs";
import { drawQuotaWorld } from "../lib/settled-statuses/quota-worlds.mjs";
import { prepareSides } from "./life-cycles.mjs";

export const parallel = 8;

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  const { SEED = "1", COUNT = "60" } = process.env;
  await prepareSides([left, right]);
  await prepare([left, right], shared);
  await untilCounted([left, right]);
  yield* sequences({ seed: Number(SEED), count: Number(COUNT) });
}

/** The sequences of a seed. */
export function* sequences({ seed, count }) {
  for (let i = 0; i < count; i++) {
    const r = new Random(seed * 1_000_003 + i);
    const world = drawQuotaWorld(r, `quota-${seed}-${i}`);
    const steps = anyRefusal(world, [
      ...world.before,
      ...world.limiting,
      ...pauses(4),
      ...usage(world, "before"),
      ...world.after,
      ...usage(world, "after"),
      ...Array.from({ length: 4 + r.int(4) }, (_, at) => [
        ...drawChange(r, world, at),
        ...usage(world, `change ${at}`),
      ]).flat(),
      ...recount(r, world),
      ...usage(world, "recounted"),
    ]);
    // Each state is told in full.
    yield { name: `${seed}-${i}`, independent: true, steps };
  }
}

/**
 * Waits until the controllers of the servers count custom kinds: v1.29's looks for new ones every half a minute, and counts
 * them when the limits of a quota change.
 */
async function untilCounted(sides) {
  const namespace = `known-${Date.now()}`;
  const path = `/api/v1/namespaces/${namespace}/resourcequotas`;
  const spec = { hard: { "count/widgets.life.example.com": "1" } };
  const isCounted = ({ body }) => Object.keys(JSON.parse(body.toString()).status?.used ?? {}).length > 0;
  await prepare(sides, [{ path: "/api/v1/namespaces", body: { metadata: { name: namespace } } }]);
  for (let attempt = 0; ; attempt++) {
    const name = `q${attempt}`;
    await prepare(sides, [{ path, body: { metadata: { name }, spec } }]);
    try {
      return await untilBoth(sides, { method: "GET", path: `${path}/${name}` }, isCounted, 3);
    } catch (error) {
      if (attempt === 30) throw error;
    }
  }
}
