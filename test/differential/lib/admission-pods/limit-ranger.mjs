import { Random } from "../random.mjs";
import { inNamespace, merge, namespace, one, pod, post, quiet, tryOut } from "./objects.mjs";

const ranges = {
  defaults: [[{ type: "Container", default: { cpu: "500m", memory: "256Mi" }, defaultRequest: { cpu: "100m" } }]],
  bounds: [[{ type: "Container", min: { cpu: "100m", memory: "64Mi" }, max: { cpu: "1", memory: "1Gi" } }]],
  least: [[{ type: "Container", min: { cpu: "250m" } }]],
  most: [[{ type: "Container", max: { memory: "512Mi", "example.com/gpu": "2" } }]],
  ratio: [[{ type: "Container", maxLimitRequestRatio: { cpu: "2", memory: "1500m" } }]],
  whole: [[{ type: "Pod", min: { cpu: "200m" }, max: { cpu: "2", memory: "2Gi" } }]],
  wholeratio: [[{ type: "Pod", maxLimitRequestRatio: { cpu: "3" } }]],
  both: [
    [
      { type: "Container", default: { cpu: "300m" }, min: { cpu: "50m" } },
      { type: "Pod", max: { cpu: "900m" } },
    ],
    // Says nothing of pods: of two that do it depends on a Go map which one is asked first.
    [{ type: "PersistentVolumeClaim", max: { storage: "10Gi" } }],
  ],
  huge: [[{ type: "Container", max: { memory: "8Ei", cpu: "9007199254740993" }, min: { memory: "1m" } }]],
  claims: [[{ type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "10Gi" } }]],
  several: [
    [
      { type: "Container", default: { memory: "1G" }, defaultRequest: { memory: "100M", "ephemeral-storage": "1Gi" } },
      { type: "Container", default: { memory: "2G", cpu: "1" } },
    ],
  ],
  none: [],
};
const cpu = ["0", "50m", "100m", "0.3", "500m", "1", "1500m", "3", "1e3", "9007199254740994", "10000e12"];
const memory = ["1Mi", "64Mi", "100M", "256Mi", "1G", "1Gi", "3Gi", "4Pi", "1500m"];
const others = { "ephemeral-storage": ["1Gi", "2G"], "example.com/gpu": ["1", "3"] };
const storage = ["500Mi", "1Gi", "1G", "5Gi", "10Gi", "11Gi", "1.5Gi"];

function amounts(random) {
  const requests = {};
  const limits = {};
  const draw = (name, values, probability) => {
    if (random.chance(probability)) requests[name] = random.pick(values);
    if (random.chance(probability)) limits[name] = random.pick(values);
  };
  draw("cpu", cpu, 0.6);
  draw("memory", memory, 0.5);
  for (const [name, values] of Object.entries(others)) {
    if (random.chance(0.1)) requests[name] = limits[name] = random.pick(values);
  }
  return random.chance(0.15) ? {} : { resources: { requests, limits } };
}

function randomPod(random, index) {
  const containers = [{ name: "a", image: "i", ...amounts(random) }];
  if (random.chance(0.4)) containers.push({ name: "b", image: "i", ...amounts(random) });
  const spec = { containers };
  if (random.chance(0.4)) {
    spec.initContainers = [{ name: "i", image: "i", ...amounts(random) }];
    if (random.chance(0.5)) spec.initContainers[0].restartPolicy = "Always";
    if (random.chance(0.4)) spec.initContainers.push({ name: "j", image: "i", ...amounts(random) });
  }
  if (random.chance(0.2)) spec.overhead = { cpu: "1" };
  return pod(
    `p${index}`,
    spec,
    random.chance(0.1) ? { annotations: { "kubernetes.io/limit-ranger": "mine", a: "b" } } : {},
  );
}

function claim(random, name) {
  const resources = { requests: { storage: random.pick(storage) } };
  if (random.chance(0.2)) resources.limits = { storage: random.pick(storage) };
  return { metadata: { name }, spec: { accessModes: ["ReadWriteOnce"], storageClassName: "x", resources } };
}

export function* limitRangerCases() {
  const random = new Random(12);
  for (const [name, lists] of Object.entries(ranges)) {
    const ns = `adm-limits-${name}`;
    yield one(
      `limits ${name}`,
      namespace(ns),
      ...lists.map((limits, index) =>
        post(inNamespace(ns, "limitranges"), { metadata: { name: `l${index}` }, spec: { limits } }),
      ),
    );
  }
  for (let index = 0; index < 280; index++) {
    const name = random.pick(Object.keys(ranges).filter((name) => name !== "claims" && name !== "none"));
    yield one(`limits ${name} ${index}`, tryOut(inNamespace(`adm-limits-${name}`, "pods"), randomPod(random, index)));
  }
  for (let index = 0; index < 30; index++) {
    const name = random.pick(["claims", "claims", "bounds", "none"]);
    const path = inNamespace(`adm-limits-${name}`, "persistentvolumeclaims");
    yield one(`claim ${name} ${index}`, tryOut(path, claim(random, `c${index}`)));
  }
  const path = inNamespace("adm-limits-claims", "persistentvolumeclaims");
  yield one(
    "claim changes",
    quiet(post(path, claim({ pick: () => "5Gi", chance: () => false }, "changing"))),
    merge(`${path}/changing`, { spec: { resources: { requests: { storage: "11Gi" } } } }),
    merge(`${path}/changing`, { metadata: { labels: { a: "b" } } }),
  );
}
