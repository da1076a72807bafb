import { merge, one, post, put, quiet, tryOut } from "../admission-pods/objects.mjs";
import { Random } from "../random.mjs";

const nodes = "/api/v1/nodes";
const keys = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unschedulable", "not-ready", "example.com/x"];
const effects = ["NoSchedule", "NoExecute", "PreferNoSchedule", "Never", ""];
const conditions = [
  { type: "Ready", status: "True" },
  { type: "Ready", status: "Unknown" },
  { type: "MemoryPressure", status: "True" },
];

function randomTaint(random) {
  const taint = { key: random.pick(keys), effect: random.pick(random.chance(0.9) ? effects.slice(0, 3) : effects) };
  if (random.chance(0.3)) taint.value = random.pick(["v", "", "not a value"]);
  if (random.chance(0.15)) taint.timeAdded = "2020-01-01T00:00:00Z";
  return taint;
}

function randomNode(random, name) {
  const metadata = random.chance(0.15) ? { generateName: "gen-" } : { name };
  if (random.chance(0.2)) metadata.annotations = { a: "b" };
  const node = { metadata };
  if (random.chance(0.85)) node.spec = { taints: Array.from({ length: random.int(4) }, () => randomTaint(random)) };
  if (node.spec !== undefined && random.chance(0.25)) node.spec.unschedulable = random.chance(0.7);
  if (random.chance(0.3)) node.status = { conditions: random.some(conditions) };
  return node;
}

export function* nodeCases() {
  const random = new Random(31);
  for (let index = 0; index < 220; index++) {
    yield one(`node ${index}`, tryOut(nodes, randomNode(random, `adm-taint${index}`)));
  }
  for (let index = 0; index < 20; index++) {
    const name = `adm-kept${index}`;
    const path = `${nodes}/${name}`;
    const { metadata: _, ...rest } = randomNode(random, name);
    yield one(
      `changes of node ${index}`,
      quiet(post(nodes, { metadata: { name } })),
      put(path, { metadata: { name }, ...rest }),
      merge(path, { spec: { taints: [randomTaint(random)] } }),
      merge(path, { spec: { taints: null } }),
      merge(`${path}/status`, { status: { conditions: random.some(conditions) } }),
    );
  }
}
