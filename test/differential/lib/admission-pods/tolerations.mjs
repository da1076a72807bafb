import { Random } from "../random.mjs";
import { inNamespace, namespace, one, pod, tryOut } from "./objects.mjs";

const ns = "adm-tolerations";
const keys = [
  "node.kubernetes.io/not-ready",
  "node.kubernetes.io/unreachable",
  "node.kubernetes.io/memory-pressure",
  "x",
  "",
  undefined,
];
const effects = ["NoExecute", "NoSchedule", "PreferNoSchedule", "", undefined];
const operators = ["Exists", "Equal", undefined];

export function randomToleration(random) {
  const toleration = { key: random.pick(keys), operator: random.pick(operators), effect: random.pick(effects) };
  if (toleration.key === "" || toleration.key === undefined) toleration.operator = "Exists";
  if (toleration.operator !== "Exists" && random.chance(0.6)) toleration.value = random.pick(["v", "w"]);
  if (toleration.effect === "NoExecute" && random.chance(0.5)) toleration.tolerationSeconds = random.pick([0, 10, 300]);
  return JSON.parse(JSON.stringify(toleration));
}

export function someTolerations(random, most = 3) {
  return Array.from({ length: random.int(most + 1) }, () => randomToleration(random));
}

export function* tolerationCases() {
  const random = new Random(14);
  yield one("tolerations", namespace(ns));
  for (let index = 0; index < 250; index++) {
    const spec = random.chance(0.1) ? {} : { tolerations: someTolerations(random) };
    yield one(`tolerations ${index}`, tryOut(inNamespace(ns, "pods"), pod(`p${index}`, spec)));
  }
  const taintKeys = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unschedulable", "x"];
  for (let index = 0; index < 60; index++) {
    const taints = Array.from({ length: random.int(3) }, () => ({
      key: random.pick(taintKeys),
      effect: random.pick(["NoSchedule", "NoExecute"]),
      ...(random.chance(0.3) ? { value: "v" } : {}),
    }));
    const spec = random.chance(0.2) ? undefined : { taints, ...(random.chance(0.2) ? { unschedulable: true } : {}) };
    yield one(`node ${index}`, tryOut("/api/v1/nodes", { metadata: { name: `adm-n${index}` }, spec }));
  }
}
