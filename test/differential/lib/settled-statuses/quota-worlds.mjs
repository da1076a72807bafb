// Drawn quotas and the objects that they count, in one namespace.
import { pauses, send } from "../life-cycles/steps.mjs";
import { drawCounted } from "./counted-objects.mjs";

/** Amounts that pods use; quotas with scopes may have these alone. */
const ofPods = {
  pods: ["0", "1", "2", "5", "100"],
  "count/pods": ["3", "100"],
  cpu: ["500m", "2", "100"],
  "requests.cpu": ["1", "100"],
  "limits.cpu": ["2", "100"],
  memory: ["1Gi", "100Gi"],
  "requests.memory": ["1500M", "100Gi"],
  "limits.memory": ["2Gi", "100Gi"],
  "ephemeral-storage": ["100Gi"],
  "requests.ephemeral-storage": ["1Gi", "100Gi"],
  "limits.ephemeral-storage": ["100Gi"],
  "requests.example.com/gpu": ["1", "100"],
  "hugepages-2Mi": ["100Mi"],
  "requests.hugepages-2Mi": ["100Mi"],
};
const ofOthers = {
  persistentvolumeclaims: ["1", "100"],
  "count/persistentvolumeclaims": ["100"],
  "requests.storage": ["5Gi", "100Gi", "1.5Ti"],
  "fast.storageclass.storage.k8s.io/requests.storage": ["6Gi", "100Gi"],
  "fast.storageclass.storage.k8s.io/persistentvolumeclaims": ["1", "100"],
  "old.storageclass.storage.k8s.io/requests.storage": ["100Gi"],
  "none.storageclass.storage.k8s.io/persistentvolumeclaims": ["100"],
  services: ["1", "100"],
  "count/services": ["100"],
  "services.nodeports": ["0", "2", "100"],
  "services.loadbalancers": ["0", "1", "100"],
  configmaps: ["1", "100"],
  "count/configmaps": ["100"],
  secrets: ["100"],
  "count/secrets": ["1"],
  replicationcontrollers: ["100"],
  "count/replicationcontrollers": ["1"],
  resourcequotas: ["1", "100"],
  "count/resourcequotas": ["100"],
  "count/deployments.apps": ["1", "100"],
  "count/jobs.batch": ["100"],
  "count/leases.coordination.k8s.io": ["1", "100"],
  "count/widgets.life.example.com": ["1", "100"],
  "count/absent.example.com": ["1"],
  "count/nodes": ["1"],
  "example.com/other": ["3"],
  "limits.example.com/gpu": ["3"],
};
const priorities = [
  { operator: "Exists" },
  { operator: "DoesNotExist" },
  { operator: "In", values: ["quota-high"] },
  { operator: "In", values: ["quota-low", "absent"] },
  { operator: "NotIn", values: ["quota-high"] },
];

/** Draws a world: the steps that make its namespace, its quotas, and objects that come before or after these. */
export function drawQuotaWorld(r, namespace) {
  const collection = `/api/v1/namespaces/${namespace}/resourcequotas`;
  const objects = Array.from({ length: 3 + r.int(6) }, (_, at) => drawCounted(r, namespace, `x${at}`));
  const early = r.int(objects.length);
  const quotas = Array.from({ length: 1 + r.int(3) }, (_, at) => `q${at}`);
  return {
    namespace,
    collection,
    quotas,
    objects,
    before: [
      send("POST", "/api/v1/namespaces", { metadata: { name: namespace } }),
      ...objects.slice(0, early).flatMap(({ make }) => make),
    ],
    limiting: quotas.flatMap((name) => [
      send("POST", collection, {
        metadata: { name, ...(r.chance(0.15) && { finalizers: ["example.com/held"] }) },
        spec: quotaSpec(r),
      }),
      // A quota may limit those that come after it.
      ...pauses(2),
    ]),
    after: objects.slice(early).flatMap(({ make }) => make),
  };
}

function quotaSpec(r) {
  const scope = r.chance(0.4) ? scopeOf(r) : {};
  const isBestEffort = JSON.stringify(scope).includes('"BestEffort"');
  if (isBestEffort) return { hard: { pods: r.pick(ofPods.pods) }, ...scope };
  return { hard: drawHard(r, Object.keys(scope).length > 0), ...scope };
}

/** Draws limits, of pods alone or of all objects. */
export function drawHard(r, isOfPods) {
  const amounts = Object.entries(isOfPods ? ofPods : { ...ofPods, ...ofOthers });
  const hard = amounts
    .filter(([name]) => r.chance(name in ofPods ? 0.2 : 0.25))
    .map(([name, values]) => [name, r.pick(values)]);
  return hard.length === 0 ? { pods: "2" } : Object.fromEntries(hard);
}

function scopeOf(r) {
  const matchExpressions = [{ scopeName: "PriorityClass", ...r.pick(priorities) }];
  const exists = (scopeName) => ({ scopeName, operator: "Exists" });
  return r.pick([
    { scopes: ["BestEffort"] },
    { scopes: ["NotBestEffort"] },
    { scopes: ["Terminating"] },
    { scopes: ["NotTerminating"] },
    { scopes: ["Terminating", "NotBestEffort"] },
    { scopes: ["PriorityClass"] },
    { scopes: ["CrossNamespacePodAffinity"] },
    { scopeSelector: { matchExpressions } },
    { scopeSelector: { matchExpressions } },
    { scopeSelector: { matchExpressions: [exists("CrossNamespacePodAffinity")] } },
    { scopeSelector: { matchExpressions: [exists("NotTerminating"), ...matchExpressions] } },
    { scopes: ["NotTerminating"], scopeSelector: { matchExpressions } },
    { scopeSelector: { matchExpressions: [exists("BestEffort")] } },
  ]);
}
