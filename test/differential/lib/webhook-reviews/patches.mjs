// JSON patches of mutating webhooks drawn at random: most change an object validly, some cannot be applied, some make of it what
// it must not be.

const add = (path, value) => ({ op: "add", path, value });
const replace = (path, value) => ({ op: "replace", path, value });
const remove = (path) => ({ op: "remove", path });

/** Operations for every object. */
const valid = [
  add("/metadata/labels", { tier: "db" }),
  add("/metadata/labels", {}),
  add("/metadata/labels", null),
  add("/metadata/annotations", { by: "hook" }),
  add("/metadata/finalizers", ["example.com/kept"]),
  add("/metadata/ownerReferences", [{ apiVersion: "v1", kind: "Odd", name: "o", uid: "u" }]),
  { op: "test", path: "/kind", value: "Odd" },
  { op: "copy", from: "/metadata/name", path: "/metadata/annotations" },
];

const identity = [
  replace("/kind", "Secret"),
  replace("/kind", "Nothing"),
  replace("/kind", ""),
  remove("/kind"),
  replace("/apiVersion", "v9"),
  replace("/apiVersion", "autoscaling/v1"),
  replace("/apiVersion", "reviews.example.com/v2"),
  remove("/apiVersion"),
  replace("/metadata/name", "other"),
  remove("/metadata/name"),
  add("/metadata/generateName", "gen-"),
  add("/metadata/namespace", "other"),
  remove("/metadata/namespace"),
  add("/metadata/uid", "mine"),
  remove("/metadata/uid"),
  add("/metadata/resourceVersion", "1"),
  add("/metadata/resourceVersion", "odd"),
  remove("/metadata/resourceVersion"),
  add("/metadata/creationTimestamp", "2020-01-01T00:00:00Z"),
  add("/metadata/creationTimestamp", null),
  add("/metadata/deletionTimestamp", "2020-01-01T00:00:00Z"),
  add("/metadata/deletionGracePeriodSeconds", 5),
  add("/metadata/generation", 7),
  add("/metadata/selfLink", "/self"),
  add("/metadata/managedFields", []),
  remove("/metadata/managedFields"),
  add("/metadata", {}),
  remove("/metadata"),
];

const invalid = [
  add("/metadata/labels", { "odd key!": "v" }),
  add("/metadata/labels", { a: 1 }),
  add("/metadata/labels", "text"),
  add("/metadata/finalizers", ["odd"]),
  add("/metadata/finalizers", "text"),
  add("/metadata/ownerReferences", [{}]),
  add("/metadata/annotations", { "": "v" }),
  add("/metadata/annotations", { big: "x".repeat(300_000) }),
  add("/metadata/more", 1),
  add("/more", { a: 1 }),
  add("/a/b/c", 1),
  add("", {}),
  add("", null),
  add("", []),
  replace("", { metadata: {} }),
  remove("/nothing"),
  remove(""),
  replace("/nothing", 1),
  { op: "odd", path: "/a" },
  { op: "add", path: "/a" },
  { op: "add", path: "metadata", value: 1 },
  { op: "add", path: 5, value: 1 },
  { op: "Add", path: "/metadata/labels", value: {} },
  { op: "move", from: "/nothing", path: "/a" },
  { op: "move", from: "/metadata/name", path: "/metadata/annotations/x" },
  { op: "test", path: "/metadata/name", value: 5 },
  {},
  { path: "/a" },
];

/** Operations for objects of a resource and its parts. */
const own = {
  configmaps: [
    add("/data/c", "3"),
    replace("/data/a", "4"),
    remove("/data/a"),
    add("/data/a", 5),
    add("/immutable", true),
    add("/data/-", "1"),
    add("/data/a~1b", "1"),
    add("/data/~2", "1"),
  ],
  secrets: [
    add("/data/c", "Mw=="),
    add("/data", { c: "odd!" }),
    add("/type", "example.com/odd"),
    add("/stringData", { d: "1" }),
  ],
  pods: [
    add("/spec/containers/-", { name: "side", image: "s" }),
    add("/spec/containers/0", { name: "first", image: "s" }),
    add("/spec/containers/-", { name: "c", image: "s" }),
    add("/spec/containers/7", { name: "far", image: "s" }),
    add("/spec/containers/-1", { name: "near", image: "s" }),
    replace("/spec/containers/0/image", "j"),
    add("/spec/nodeName", "n9"),
    add("/spec/containers", []),
    add("/status/phase", "Failed"),
    add("/deleteOptions", { gracePeriodSeconds: 7 }),
    add("/target/name", "n2"),
    add("/spec/ephemeralContainers", [{ name: "z", image: "i" }]),
  ],
  services: [
    add("/spec/ports/-", { name: "b", port: 90 }),
    add("/spec/ports/0/name", "a"),
    add("/spec/type", "NodePort"),
    add("/spec/clusterIP", "None"),
    add("/spec/externalName", "a.b"),
    add("/status/loadBalancer", { ingress: [{ ip: "1.1.1.1" }] }),
  ],
  serviceaccounts: [
    add("/automountServiceAccountToken", false),
    add("/secrets", [{ name: "s" }]),
    add("/spec/expirationSeconds", 700),
    add("/spec/expirationSeconds", 5),
    add("/spec/audiences", ["b"]),
    add("/status/token", "mine"),
  ],
  replicationcontrollers: [
    replace("/spec/replicas", 5),
    replace("/spec/replicas", -1),
    replace("/spec/replicas", "x"),
    add("/status/replicas", 9),
    add("/spec/minReadySeconds", 3),
  ],
  deployments: [
    replace("/spec/replicas", 5),
    replace("/spec/replicas", -1),
    replace("/spec/replicas", "x"),
    add("/status/replicas", 9),
    add("/spec/template/spec/containers/-", { name: "side", image: "s" }),
    add("/spec/paused", true),
  ],
  horizontalpodautoscalers: [
    replace("/spec/maxReplicas", 9),
    replace("/spec/maxReplicas", 0),
    add("/spec/minReplicas", 2),
    add("/spec/targetCPUUtilizationPercentage", 60),
    add("/spec/metrics", []),
    add("/status/currentReplicas", 4),
  ],
  widgets: [
    add("/spec/replicas", 4),
    add("/spec/replicas", "x"),
    add("/spec/more", null),
    add("/spec/size", 5),
    remove("/spec/size"),
    add("/status", { a: 1 }),
    add("/status", null),
    add("/spec/new", { a: { b: 1.5 } }),
    remove("/spec"),
  ],
  namespaces: [
    add("/metadata/labels/zone", "a"),
    add("/spec/finalizers", []),
    add("/spec/finalizers", ["kubernetes", "example.com/x"]),
    add("/status/phase", "Terminating"),
  ],
  persistentvolumes: [
    replace("/spec/capacity/storage", "3Gi"),
    replace("/spec/capacity/storage", "x"),
    add("/spec/storageClassName", "s"),
    add("/status/phase", "Bound"),
  ],
  clusterroles: [
    add("/rules/-", { apiGroups: [""], resources: ["secrets"], verbs: ["get"] }),
    add("/rules", null),
    add("/aggregationRule", { clusterRoleSelectors: [] }),
  ],
  prioritylevelconfigurations: [
    add("/spec/limited/lendablePercent", 20),
    add("/spec/limited/nominalConcurrencyShares", 0),
    add("/spec/limited/lendablePercent", 200),
    add("/status/conditions", []),
  ],
  gadgets: [add("/spec/c", 3), remove("/spec"), add("/status", { b: 1 })],
};

/** Returns a list of operations. */
export function drawPatch(r, resource) {
  const one = () => {
    const roll = r.next();
    return r.pick(roll < 0.35 ? valid : roll < 0.75 ? own[resource] : roll < 0.88 ? identity : invalid);
  };
  return Array.from({ length: r.pick([0, 1, 1, 1, 1, 2, 3]) }, one);
}
