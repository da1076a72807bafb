import { inNamespace, merge, namespace, one, pod, post, quiet, tryOut } from "../admission-pods/objects.mjs";
import { someTolerations } from "../admission-pods/tolerations.mjs";
import { Random } from "../random.mjs";

const spaces = {
  "adm-off-plain": {},
  "adm-off-selected": { "scheduler.alpha.kubernetes.io/node-selector": "pool=own, disk=ssd" },
  "adm-off-empty": {
    "scheduler.alpha.kubernetes.io/node-selector": "",
    "scheduler.alpha.kubernetes.io/defaultTolerations": "",
    "scheduler.alpha.kubernetes.io/tolerationsWhitelist": "",
  },
  "adm-off-broken": { "scheduler.alpha.kubernetes.io/node-selector": "pool" },
  "adm-off-badkey": { "scheduler.alpha.kubernetes.io/node-selector": "a b=c" },
  "adm-off-badvalue": { "scheduler.alpha.kubernetes.io/node-selector": "a=b c" },
  "adm-off-listed": {},
  "adm-off-tolerant": {
    "scheduler.alpha.kubernetes.io/defaultTolerations":
      '[{"key":"x","operator":"Exists","effect":"NoSchedule"},{"key":"z","value":"v"}]',
    "scheduler.alpha.kubernetes.io/tolerationsWhitelist":
      '[{"operator":"Exists","effect":"NoSchedule"},{"operator":"Exists","effect":"NoExecute"}]',
  },
  "adm-off-strict": { "scheduler.alpha.kubernetes.io/tolerationsWhitelist": '[{"key":"x","operator":"Exists"}]' },
  "adm-off-exempt": {},
};
const selectors = [undefined, undefined, { pool: "all" }, { pool: "own" }, { disk: "ssd" }, { zone: "b" }, {}];
const gpu = { "example.com/gpu": "1" };
const contexts = [
  undefined,
  undefined,
  undefined,
  { runAsUser: 7 },
  { fsGroup: 7 },
  { supplementalGroups: [7] },
  { seLinuxOptions: { level: "s0" } },
];

function randomPod(random, index) {
  const container = (name) => {
    const made = { name, image: random.pick(["i", "i:1"]) };
    if (random.chance(0.4)) made.imagePullPolicy = random.pick(["Always", "Never", "IfNotPresent"]);
    if (random.chance(0.3))
      made.resources = {
        requests: { cpu: "1", ...(random.chance(0.5) ? gpu : {}) },
        limits: random.chance(0.7) ? { cpu: "1", ...gpu } : {},
      };
    if (made.resources?.limits["example.com/gpu"] === undefined) delete made.resources?.requests["example.com/gpu"];
    if (random.chance(0.1))
      made.securityContext = random.pick([
        { runAsUser: 7 },
        { seLinuxOptions: { level: "s0" } },
        { runAsNonRoot: true },
      ]);
    return made;
  };
  const spec = { containers: [container("a")] };
  if (random.chance(0.3)) spec.initContainers = [container("i")];
  const [nodeSelector, securityContext] = [random.pick(selectors), random.pick(contexts)];
  if (nodeSelector !== undefined) spec.nodeSelector = nodeSelector;
  if (random.chance(0.3) && securityContext !== undefined) spec.securityContext = securityContext;
  if (random.chance(0.5)) spec.tolerations = someTolerations(random, 2);
  if (random.chance(0.1)) {
    const labelSelector = { matchLabels: { a: "b" } };
    const topologyKey = random.pick(["kubernetes.io/hostname", "topology.kubernetes.io/zone"]);
    spec.affinity = {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey }] },
    };
  }
  return pod(`p${index}`, spec);
}

export function* podCases() {
  for (const [name, annotations] of Object.entries(spaces)) yield one(name, namespace(name, { annotations }));
  const random = new Random(21);
  for (let index = 0; index < 500; index++) {
    const ns = random.pick(Object.keys(spaces));
    yield one(`${ns} ${index}`, tryOut(inNamespace(ns, "pods"), randomPod(random, index)));
  }
  const pods = inNamespace("adm-off-empty", "pods");
  yield one(
    "changes",
    quiet(post(pods, pod("changing"))),
    merge(`${pods}/changing`, { metadata: { labels: { a: "b" } } }),
    merge(`${pods}/changing`, { spec: { containers: [{ name: "c", image: "j", imagePullPolicy: "Always" }] } }),
    merge(`${pods}/changing`, { spec: { containers: [{ name: "c", image: "k", imagePullPolicy: "Never" }] } }),
    merge(`${pods}/changing`, { spec: { tolerations: [{ key: "x", operator: "Exists" }] } }),
  );
  const token = (name) => ({ as: "none", headers: { authorization: `Bearer ${name}` } });
  const hostly = pod("host", { hostNetwork: true });
  yield one("nobody is exempt", tryOut(pods, hostly));
  yield one("exempt user", post(`${pods}?dryRun=All`, hostly, token("exempt-token")));
  yield one("exempt namespace", tryOut(inNamespace("adm-off-exempt", "pods"), hostly));
  const label = {
    "pod-security.kubernetes.io/enforce": "restricted",
    "pod-security.kubernetes.io/warn-version": "v1.20",
  };
  yield one(
    "exempt namespace, labelled",
    merge("/api/v1/namespaces/adm-off-exempt?dryRun=All", { metadata: { labels: label } }),
  );
  yield one(
    "exempt runtime class",
    quiet(post("/apis/node.k8s.io/v1/runtimeclasses", { metadata: { name: "adm-off-exempt" }, handler: "h" })),
    tryOut(pods, pod("host", { hostNetwork: true, runtimeClassName: "adm-off-exempt" })),
  );
}
