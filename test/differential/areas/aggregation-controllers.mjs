// What the controllers of kube-controller-manager do with objects of an API server behind each of both servers
// (start-with-sample-apiserver.mjs --controllers yes): quotas, Events about owners in another namespace, collection.
import { get, merge, namespaced, pause, post, quiet, remove } from "../lib/admission-steps.mjs";

const group = "wardle.example.com";
const flunders = (namespace) => `/apis/${group}/v1alpha1/namespaces/${namespace}/flunders`;
const fischers = `/apis/${group}/v1alpha1/fischers`;
const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const counted = `count/flunders.${group}`;
const quotas = (namespace) => namespaced(namespace, "resourcequotas");
const owned = (name, ...ownerReferences) => ({ metadata: { name, ownerReferences } });
const flunder = (name, ...owners) => ({ apiVersion: `${group}/v1alpha1`, kind: "Flunder", ...owned(name, ...owners) });
/** Controllers have done their work after this many milliseconds. */
const worked = pause(8000);
const withStatus = ({ body }) => JSON.parse(body.toString()).status;
const names = ({ body }) => JSON.parse(body.toString()).items.map(({ metadata }) => metadata.name);

/** Cases for a runner of differential areas. */
export async function* cases(right, left) {
  await Promise.all([right, left].map(untilCounted));
  yield* quota();
  yield* owners();
  yield* namespaceLess();
}

/** Waits until the quota controller of a server knows flunders: v1.29's looks for kinds every 30 seconds. */
async function untilCounted(side) {
  const send = ({ body, ...step }) => side.request({ ...step, body: body && JSON.stringify(body) });
  for (let attempt = 0; attempt < 30; attempt++) {
    const name = `known-${attempt}`;
    await send(post(quotas("default"), { metadata: { name }, spec: { hard: { [counted]: "1" } } }));
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const { used = {} } = withStatus(await send(get(`${quotas("default")}/${name}`)));
    await send(remove(`${quotas("default")}/${name}`));
    if (used[counted] !== undefined) return;
  }
  throw new Error("the quota controller does not know flunders");
}

function* quota() {
  const namespace = "counted";
  const status = (name) => ({ ...get(`${quotas(namespace)}/${name}`), label: name, view: withStatus });
  const make = (name, hard, spec = {}) =>
    quiet(post(quotas(namespace), { metadata: { name }, spec: { hard, ...spec } }));
  const all = ["several", "scoped", "none"].map(status);
  yield {
    name: "a quota of flunders",
    steps: [
      quiet(post("/api/v1/namespaces", { metadata: { name: namespace } })),
      quiet(post(flunders(namespace), flunder("one"))),
      make("several", {
        [counted]: "2",
        [`count/fischers.${group}`]: "3",
        "count/nothing.example.com": "1",
        pods: "5",
      }),
      make("scoped", { [counted]: "2" }, { scopes: ["BestEffort"] }),
      make("none", { [counted]: "0" }),
      worked,
      ...all,
      ...["two", "three", "four"].map((name) => quiet(post(flunders(namespace), flunder(name)))),
      worked,
      ...all,
      quiet(remove(`${flunders(namespace)}/two`)),
      worked,
      ...all,
      quiet(post(flunders(namespace), flunder("five"))),
      quiet(merge(`${quotas(namespace)}/several`, { spec: { hard: { [counted]: "9" } } })),
      quiet(merge(`${quotas(namespace)}/none`, { spec: { hard: { [counted]: null, services: "1" } } })),
      worked,
      ...all,
    ],
  };
}

const reference = (apiVersion, kind, name, uid = `$${kind}`) => ({ apiVersion, kind, name, uid });
const configMapOwner = reference("v1", "ConfigMap", "owner");
const flunderOwner = reference(`${group}/v1alpha1`, "Flunder", "owner");
const otherVersion = reference(`${group}/v1beta1`, "Flunder", "owner");

/** Makes the namespaces, and an owner of each kind in the first; `$ConfigMap` and `$Flunder` are their uids. */
const family = (home, away) => [
  quiet(post("/api/v1/namespaces", { metadata: { name: home } })),
  ...(away === undefined ? [] : [quiet(post("/api/v1/namespaces", { metadata: { name: away } }))]),
  { ...quiet(post(namespaced(home, "configmaps"), owned("owner"))), save: { ConfigMap: "metadata.uid" } },
  { ...quiet(post(flunders(home), flunder("owner"))), save: { Flunder: "metadata.uid" } },
  pause(2000),
];
/** Makes an object with saved uids: only texts have their `$name` replaced. */
const child = (path, object) => quiet(post(path, JSON.stringify(object)));

/** Returns the Events about owners in another namespace, without times and identities. */
function reports({ body }) {
  return JSON.parse(body.toString())
    .items.filter(({ reason }) => reason === "OwnerRefInvalidNamespace")
    .map(({ involvedObject: { uid, ...involvedObject }, message, type, source, count, reportingComponent }) => {
      const text = message.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "UID");
      return { involvedObject, isNamed: uid !== undefined, message: text, type, source, count, reportingComponent };
    })
    .sort((a, b) => (a.involvedObject.name < b.involvedObject.name ? -1 : 1));
}

function* owners() {
  const [home, away] = ["home", "away"];
  const listed = (path, label) => ({ ...get(path), label, view: names });
  yield {
    name: "owners in another namespace",
    steps: [
      ...family(home, away),
      child(flunders(away), flunder("of-config", configMapOwner)),
      child(flunders(away), flunder("of-flunder", flunderOwner)),
      child(flunders(away), flunder("of-other-version", otherVersion)),
      child(namespaced(away, "configmaps"), owned("config-of-flunder", flunderOwner)),
      child(namespaced(away, "configmaps"), owned("config-of-other-version", otherVersion)),
      child(namespaced(home, "configmaps"), owned("config-at-home", flunderOwner)),
      child(flunders(home), flunder("at-home", configMapOwner)),
      worked,
      { ...get(namespaced(away, "events")), label: "events", view: reports },
      listed(flunders(away), "flunders away"),
      listed(namespaced(away, "configmaps"), "configs away"),
      listed(flunders(home), "flunders at home"),
      quiet(remove(`${flunders(home)}/owner`)),
      quiet(remove(`${namespaced(home, "configmaps")}/owner`)),
      worked,
      listed(flunders(home), "flunders at home without owners"),
      listed(namespaced(home, "configmaps"), "configs at home without owners"),
    ],
  };
}

function* namespaceLess() {
  const fischer = (name, owner) => ({ apiVersion: `${group}/v1alpha1`, kind: "Fischer", ...owned(name, owner) });
  const gone = reference("v1", "ConfigMap", "owner", "00000000-0000-0000-0000-000000000000");
  const made = { config: configMapOwner, flunder: flunderOwner, nothing: gone };
  yield {
    name: "owners in a namespace of objects without one",
    steps: [
      ...family("inside"),
      ...Object.entries(made).flatMap(([name, owner]) => [
        child(fischers, fischer(`of-${name}`, owner)),
        child(roles, { ...owned(`role-of-${name}`, owner), rules: [] }),
      ]),
      worked,
      { ...get(namespaced("default", "events")), label: "events", view: reports },
      ...Object.keys(made).flatMap((name) => [
        { ...get(`${fischers}/of-${name}`), label: `fischer of ${name}`, view: ({ status }) => status },
        { ...get(`${roles}/role-of-${name}`), label: `role of ${name}`, view: ({ status }) => status },
      ]),
    ],
  };
}
