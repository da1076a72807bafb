import { Random } from "../random.mjs";
import { inNamespace, namespace, one, pod, post, quiet, tryOut } from "./objects.mjs";
import { someTolerations } from "./tolerations.mjs";

const ns = "adm-runtime";
const overhead = { podFixed: { cpu: "100m", memory: "64Mi" } };
const tolerations = [
  { key: "x", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 10 },
];
const classes = {
  plain: {},
  costly: { overhead },
  empty: { overhead: { podFixed: {} }, scheduling: {} },
  placed: { scheduling: { nodeSelector: { a: "1", b: "2" } } },
  tolerant: { scheduling: { tolerations } },
  all: { overhead, scheduling: { nodeSelector: { a: "1" }, tolerations } },
};
const overheads = [
  undefined,
  undefined,
  { cpu: "100m", memory: "64Mi" },
  { cpu: "0.1", memory: "65536Ki" },
  { cpu: "100m" },
  { cpu: "200m", memory: "64Mi" },
  {},
];
const selectors = [undefined, undefined, { a: "1" }, { a: "2" }, { c: "3" }, { b: "2", c: "3" }, {}];

export function* runtimeClassCases() {
  const random = new Random(15);
  yield one(
    "runtime classes",
    namespace(ns),
    ...Object.entries(classes).map(([name, more]) =>
      quiet(post("/apis/node.k8s.io/v1/runtimeclasses", { metadata: { name: `adm-${name}` }, handler: "h", ...more })),
    ),
  );
  const names = [...Object.keys(classes), "missing", undefined];
  for (let index = 0; index < 300; index++) {
    const spec = {};
    const name = random.pick(names);
    if (name !== undefined) spec.runtimeClassName = `adm-${name}`;
    const [own, selector] = [random.pick(overheads), random.pick(selectors)];
    if (own !== undefined) spec.overhead = own;
    if (selector !== undefined) spec.nodeSelector = selector;
    if (random.chance(0.5)) spec.tolerations = someTolerations(random);
    yield one(`runtime ${name} ${index}`, tryOut(inNamespace(ns, "pods"), pod(`p${index}`, spec)));
  }
}
