// Quantities in every spelling, wherever kinds have one: how they are stored, and what writes make of what is stored.
import { namespace, setUp } from "../lib/sample-objects.mjs";

export const parallel = 4;

const spellings = [
  "1",
  "1.0",
  "0.5",
  "500m",
  "1000m",
  "1500m",
  "0.1m",
  "1u",
  "1n",
  "0.0000000001",
  "1k",
  "1000k",
  "1e3",
  "1E3",
  "1e-3",
  "12e6",
  "1Ki",
  "1024",
  "1024Ki",
  "1024Mi",
  "1.5Gi",
  "0.5Gi",
  "1Ti",
  "+1",
  "-1",
  "-1500m",
  "0",
  "0m",
  "00",
  "010",
  ".5",
  "5.",
  "9223372036854775807",
  "9223372036854775808",
  "100000000000000000000",
  "1Ei",
  "8Ei",
  "1e18",
  "1E",
  "",
  " 1",
  "1 Gi",
  "1gi",
  "1G",
  "abc",
  "1.1.1",
  1,
  1.5,
  0,
  -1,
  1e21,
  1e-10,
  true,
  null,
  [],
  {},
];

const template = (spec) => ({
  metadata: { labels: { app: "q" } },
  spec: { containers: [{ name: "c", image: "nginx" }], ...spec },
});
const container = (resources) => template({ containers: [{ name: "c", image: "nginx", resources }] }).spec;

/** `[name, collection under the namespace, object with the quantity]` */
const core = `/api/v1/namespaces/${namespace}`;
const places = [
  ["limits cpu", `${core}/pods`, (q) => ({ spec: container({ limits: { cpu: q } }) })],
  ["requests memory", `${core}/pods`, (q) => ({ spec: container({ requests: { memory: q } }) })],
  [
    "limits of others",
    `${core}/pods`,
    (q) => ({ spec: container({ limits: { "example.com/x": q, "ephemeral-storage": q } }) }),
  ],
  [
    "emptyDir",
    `${core}/pods`,
    (q) => ({ spec: template({ volumes: [{ name: "v", emptyDir: { sizeLimit: q } }] }).spec }),
  ],
  [
    "divisor",
    `${core}/pods`,
    (q) => ({
      spec: template({
        containers: [
          {
            name: "c",
            image: "nginx",
            env: [{ name: "A", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: q } } }],
          },
        ],
      }).spec,
    }),
  ],
  [
    "divisor of memory in a volume",
    `${core}/pods`,
    (q) => ({
      spec: template({
        volumes: [
          {
            name: "v",
            downwardAPI: {
              items: [{ path: "p", resourceFieldRef: { containerName: "c", resource: "limits.memory", divisor: q } }],
            },
          },
        ],
      }).spec,
    }),
  ],
  ["overhead", `${core}/pods`, (q) => ({ spec: template({ overhead: { cpu: q } }).spec })],
  [
    "template",
    `/apis/apps/v1/namespaces/${namespace}/deployments`,
    (q) => ({
      spec: {
        selector: { matchLabels: { app: "q" } },
        template: { ...template(), spec: container({ limits: { cpu: q, memory: q } }) },
      },
    }),
  ],
  [
    "claim",
    `${core}/persistentvolumeclaims`,
    (q) => ({ spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: q } } } }),
  ],
  [
    "claim template",
    `/apis/apps/v1/namespaces/${namespace}/statefulsets`,
    (q) => ({
      spec: {
        serviceName: "s",
        selector: { matchLabels: { app: "q" } },
        template: template(),
        volumeClaimTemplates: [
          {
            metadata: { name: "c" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: q } } },
          },
        ],
      },
    }),
  ],
  [
    "volume",
    "/api/v1/persistentvolumes",
    (q) => ({ spec: { capacity: { storage: q }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } } }),
  ],
  [
    "range",
    `${core}/limitranges`,
    (q) => ({ spec: { limits: [{ type: "Container", max: { cpu: q }, default: { cpu: q } }] } }),
  ],
  ["quota", `${core}/resourcequotas`, (q) => ({ spec: { hard: { cpu: q, "requests.storage": q, pods: q } } })],
  ["node", "/api/v1/nodes", (q) => ({ status: { capacity: { cpu: q }, allocatable: { memory: q } } })],
  [
    "autoscaler",
    `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`,
    (q) => ({
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: "D", name: "d" },
        metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "AverageValue", averageValue: q } } }],
      },
    }),
  ],
  [
    "storage capacity",
    `/apis/storage.k8s.io/v1/namespaces/${namespace}/csistoragecapacities`,
    (q) => ({ storageClassName: "s", capacity: q, maximumVolumeSize: q }),
  ],
  [
    "runtime class",
    "/apis/node.k8s.io/v1/runtimeclasses",
    (q) => ({ handler: "h", overhead: { podFixed: { cpu: q } } }),
  ],
];

const json = { "content-type": "application/json" };
const yaml = { "content-type": "application/yaml" };
const view = ({ status, body }) => {
  const { spec, status: state, capacity, maximumVolumeSize, overhead, message, details } = JSON.parse(body);
  return status < 300
    ? { spec, state, capacity, maximumVolumeSize, overhead }
    : [status, (message ?? "").replace(/\(0x[0-9a-f]+\)/g, "(POINTER)"), details?.causes];
};

/** Cases for a runner of differential areas. */
export async function* cases(...sides) {
  await Promise.all(sides.map(setUp));
  let count = 0;
  for (const [place, collection, objectWith] of places) {
    for (const quantity of spellings) {
      const name = `quantity-${count++}`;
      const path = `${collection}/${name}`;
      const object = { metadata: { name }, ...objectWith(quantity) };
      const text = JSON.stringify(object);
      yield {
        name: `${place} ${JSON.stringify(quantity)}`,
        independent: true,
        steps: [
          { label: "YAML", method: "POST", path: `${collection}?dryRun=All`, body: text, headers: yaml, view },
          { label: "create", method: "POST", path: collection, body: text, headers: json, view },
          { label: "get", method: "GET", path, view },
          { label: "protobuf", method: "GET", path, headers: { accept: "application/vnd.kubernetes.protobuf" } },
          { label: "Table", method: "GET", path, headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } },
          { label: "update", method: "PUT", path, body: text, headers: json, view },
          {
            label: "merge patch",
            method: "PATCH",
            path,
            body: text,
            headers: { "content-type": "application/merge-patch+json" },
            view,
          },
          {
            label: "strategic patch",
            method: "PATCH",
            path,
            body: text,
            headers: { "content-type": "application/strategic-merge-patch+json" },
            view,
          },
          { label: "after", method: "GET", path },
          { method: "DELETE", path: `${path}?gracePeriodSeconds=0`, quiet: true },
        ],
      };
    }
  }
}
