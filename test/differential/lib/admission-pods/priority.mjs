import { Random } from "../random.mjs";
import { inNamespace, merge, namespace, one, pod, post, put, quiet, send, tryOut } from "./objects.mjs";

const ns = "adm-priority";
const pods = inNamespace(ns, "pods");
const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
const made = {
  "adm-low": { value: -5 },
  "adm-high": { value: 1000 },
  "adm-never": { value: 1000, preemptionPolicy: "Never" },
  "adm-default": { value: 7, globalDefault: true },
  "adm-default-never": { value: 7, globalDefault: true, preemptionPolicy: "Never" },
};
const names = [
  "adm-low",
  "adm-high",
  "adm-never",
  "system-node-critical",
  "system-cluster-critical",
  "missing",
  "",
  undefined,
];
const priorities = [undefined, undefined, undefined, 0, -5, 1000, 7, 2000000000];
const policies = [undefined, undefined, "Never", "PreemptLowerPriority", "Sometimes"];

function randomPod(random, index) {
  const spec = {};
  const set = (member, value) => {
    if (value !== undefined) spec[member] = value;
  };
  set("priorityClassName", random.pick(names));
  set("priority", random.pick(priorities));
  set("preemptionPolicy", random.pick(policies));
  return pod(`p${index}`, spec);
}

const priorityClass = (name, more = {}) => ({ metadata: { name }, ...made[name], ...more });

export function* priorityCases() {
  const random = new Random(13);
  const some = function* (title, count) {
    for (let index = 0; index < count; index++) yield one(`${title} ${index}`, tryOut(pods, randomPod(random, index)));
  };
  yield one(
    "priorities",
    namespace(ns),
    ...["adm-low", "adm-high", "adm-never"].map((name) => quiet(post(classes, priorityClass(name)))),
  );
  yield one("system classes", ...["node", "cluster"].map((name) => send("GET", `${classes}/system-${name}-critical`)));
  yield* some("priority without default", 110);
  yield one(
    "a default",
    post(classes, priorityClass("adm-default")),
    tryOut(classes, priorityClass("adm-other", { value: 3, globalDefault: true })),
    tryOut(classes, { metadata: { generateName: "gen-" }, value: 3, globalDefault: true }),
    tryOut(classes, priorityClass("adm-other", { value: 3, globalDefault: false })),
    merge(`${classes}/adm-low`, { globalDefault: true }),
    merge(`${classes}/adm-default`, { description: "still" }),
    put(`${classes}/adm-default`, priorityClass("adm-default", { description: "again" })),
  );
  yield* some("priority with default", 110);
  yield one(
    "a default that never preempts",
    quiet(send("DELETE", `${classes}/adm-default`)),
    post(classes, priorityClass("adm-default-never")),
  );
  yield* some("priority with another default", 60);
  yield one("no default again", send("DELETE", `${classes}/adm-default-never`));
  for (const [index, name] of ["adm-high", "adm-never", undefined].entries()) {
    const body = pod(`kept${index}`, name === undefined ? {} : { priorityClassName: name });
    const path = `${pods}/kept${index}`;
    yield one(
      `kept ${name}`,
      post(pods, body),
      merge(path, { spec: { priority: null } }),
      merge(path, { spec: { preemptionPolicy: null, priority: null }, metadata: { labels: { a: "b" } } }),
      merge(path, { spec: { priority: 3 } }),
      merge(path, { spec: { tolerations: null } }),
      merge(path, { spec: { tolerations: [{ key: "x", operator: "Exists" }] } }),
      merge(`${path}/status`, { status: { phase: "Running" } }),
    );
  }
  for (const [index, more] of [
    { value: 5, globalDefault: true },
    { value: 2000000000 },
    { value: 1000000001 },
  ].entries()) {
    yield one(`class ${index}`, tryOut(classes, { metadata: { name: `adm-c${index}` }, ...more }));
    yield one(`system class ${index}`, tryOut(classes, { metadata: { name: "system-cluster-critical" }, ...more }));
  }
}
