// Strategic merge patches drawn at random for a Deployment and a Service: lists with merge keys, primitive lists, directives
// ($patch, $deleteFromPrimitiveList, $setElementOrder, $retainKeys), values of other types. COUNT is the number of patches, SEED which.

import { Random } from "../lib/random.mjs";

export const parallel = 4;
const namespace = "strategic-patches";
const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
const services = `/api/v1/namespaces/${namespace}/services`;

/** Cases for a runner of differential areas. */
export async function* cases() {
  const { SEED = "1", COUNT = "4000" } = process.env;
  const post = (path, body) => ({ method: "POST", path, body, quiet: true });
  yield {
    name: "objects",
    steps: [
      post("/api/v1/namespaces", { metadata: { name: namespace } }),
      post(deployments, deployment),
      post(services, service),
    ],
  };
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const isDeployment = r.chance(0.8);
    const path = isDeployment ? `${deployments}/d` : `${services}/s`;
    const validation = r.pick(["", "&fieldValidation=Strict", "&fieldValidation=Ignore"]);
    const body = isDeployment
      ? { ...metadataPatch(r), spec: deploymentPatch(r) }
      : { ...metadataPatch(r), spec: servicePatch(r) };
    const headers = { "content-type": "application/strategic-merge-patch+json" };
    const step = {
      method: "PATCH",
      path: `${path}?dryRun=All${validation}`,
      headers,
      body: JSON.stringify(body),
      view,
    };
    yield { name: `${SEED}-${i} ${JSON.stringify(body)}`, independent: true, steps: [step] };
  }
}

/** The object without times and versions, or what is wrong. */
function view({ body, headers }) {
  const { metadata = {}, ...answer } = JSON.parse(body.toString());
  const { labels, annotations, finalizers } = metadata;
  const { warning } = headers;
  return answer.kind === "Status"
    ? { ...answer, warning }
    : {
        spec: { ...answer.spec, clusterIP: undefined, clusterIPs: undefined },
        labels,
        annotations,
        finalizers,
        warning,
      };
}

const labels = { app: "a" };
const deployment = {
  metadata: {
    name: "d",
    labels: { a: "1", b: "2" },
    annotations: { x: "1" },
    finalizers: ["example.com/a", "example.com/b"],
  },
  spec: {
    selector: { matchLabels: labels },
    replicas: 1,
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
    template: {
      metadata: { labels },
      spec: {
        containers: [
          {
            name: "a",
            image: "i",
            args: ["1", "2"],
            env: [
              { name: "A", value: "1" },
              { name: "B", value: "2" },
            ],
            ports: [{ containerPort: 80 }, { containerPort: 81, protocol: "UDP" }],
            volumeMounts: [{ name: "v", mountPath: "/v" }],
          },
          { name: "b", image: "i" },
        ],
        volumes: [
          { name: "v", emptyDir: {} },
          { name: "w", configMap: { name: "c" } },
        ],
        tolerations: [{ key: "a", operator: "Exists" }],
        hostAliases: [{ ip: "10.0.0.1", hostnames: ["a", "b"] }],
        imagePullSecrets: [{ name: "a" }],
      },
    },
  },
};
const service = {
  metadata: { name: "s", labels: { a: "1", b: "2" }, finalizers: ["example.com/a", "example.com/b"] },
  spec: {
    selector: labels,
    ports: [
      { name: "a", port: 80 },
      { name: "b", port: 81 },
    ],
    externalIPs: ["10.1.0.1", "10.1.0.2"],
  },
};

const maybe = (r, probability, members) => (r.chance(probability) ? members() : {});

function metadataPatch(r) {
  return maybe(r, 0.3, () => ({
    metadata: {
      ...maybe(r, 0.5, () => ({ labels: map(r) })),
      ...maybe(r, 0.5, () => primitives(r, "finalizers", ["example.com/a", "example.com/b", "example.com/c"])),
      ...maybe(r, 0.1, () => ({ annotations: r.pick([null, [], "a", map(r)]) })),
    },
  }));
}

function map(r) {
  const members = {};
  for (const key of ["a", "b", "c"]) if (r.chance(0.4)) members[key] = r.pick(["1", "9", null, "", 5]);
  return {
    ...members,
    ...maybe(r, 0.15, () => ({ $patch: r.pick(["replace", "delete", "merge", "odd"]) })),
    ...maybe(r, 0.1, () => ({ $retainKeys: r.pick([["a"], [], ["a", "c"], "a"]) })),
  };
}

function primitives(r, name, values) {
  const some = () => Array.from({ length: r.int(4) }, () => r.pick([...values, r.pick([...values, 5, null])]));
  return {
    ...maybe(r, 0.6, () => ({ [name]: r.chance(0.9) ? some() : r.pick([null, "a", {}, 5]) })),
    ...maybe(r, 0.4, () => ({
      [`$deleteFromPrimitiveList/${name}`]: r.chance(0.9) ? some() : r.pick([null, "a", {}]),
    })),
    ...maybe(r, 0.3, () => ({ [`$setElementOrder/${name}`]: r.chance(0.9) ? some() : r.pick([null, "a", {}]) })),
  };
}

/** A patch of a list of objects by a merge key: items that are there, that are new, and that go. */
function items(r, name, key, known, more) {
  const item = () => ({
    ...maybe(r, 0.93, () => ({ [key]: r.pick(known) })),
    ...maybe(r, 0.75, () => more()),
    ...maybe(r, 0.15, () => ({ $patch: r.pick(["delete", "delete", "replace", "merge", "odd", 5]) })),
  });
  const list = Array.from({ length: r.int(4) }, () => (r.chance(0.97) ? item() : r.pick([null, "a", 5, []])));
  if (r.chance(0.08)) list.splice(r.int(list.length + 1), 0, { $patch: r.pick(["replace", "delete", "odd"]) });
  const order = () =>
    Array.from({ length: r.int(4) }, () => (r.chance(0.95) ? { [key]: r.pick(known) } : r.pick([{}, "a", null])));
  return {
    ...maybe(r, 0.85, () => ({ [name]: r.chance(0.95) ? list : r.pick([null, {}, "a"]) })),
    ...maybe(r, 0.35, () => ({ [`$setElementOrder/${name}`]: r.chance(0.95) ? order() : r.pick([null, "a", {}]) })),
  };
}

function container(r) {
  return {
    ...maybe(r, 0.3, () => ({ image: r.pick(["j", "", null]) })),
    ...maybe(r, 0.2, () => ({ args: r.pick([["3"], null, [], ["1", "2", "1"], "a"]) })),
    ...maybe(r, 0.4, () =>
      items(r, "env", "name", ["A", "B", "C"], () =>
        r.pick([
          { value: "5" },
          { value: null },
          { valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
          { value: 5 },
        ]),
      ),
    ),
    ...maybe(r, 0.35, () =>
      items(r, "ports", "containerPort", [80, 81, 82], () =>
        r.pick([{ protocol: "UDP" }, { protocol: "TCP" }, { name: "p" }, { hostPort: 80 }]),
      ),
    ),
    ...maybe(r, 0.2, () => items(r, "volumeMounts", "mountPath", ["/v", "/w"], () => ({ name: r.pick(["v", "w"]) }))),
    ...maybe(r, 0.1, () => ({ resources: r.pick([{ limits: { cpu: "1" } }, null, { $patch: "replace" }]) })),
  };
}

function deploymentPatch(r) {
  return {
    ...maybe(r, 0.2, () => ({ replicas: r.pick([2, null, "a", -1]) })),
    ...maybe(r, 0.25, () => ({
      strategy: r.pick([
        { type: "Recreate" },
        { type: "Recreate", $retainKeys: ["type"] },
        { $retainKeys: ["type"] },
        { $patch: "replace", type: "Recreate" },
        { type: "Recreate", rollingUpdate: null },
        { $retainKeys: ["type", "rollingUpdate"], rollingUpdate: { maxSurge: 2 } },
        null,
        { $patch: "delete" },
      ]),
    })),
    ...maybe(r, 0.85, () => ({
      template: {
        spec: {
          ...maybe(r, 0.6, () => items(r, "containers", "name", ["a", "b", "c"], () => container(r))),
          ...maybe(r, 0.3, () =>
            items(r, "volumes", "name", ["v", "w", "x"], () =>
              r.pick([
                { emptyDir: {} },
                { emptyDir: null },
                { secret: { secretName: "s" } },
                { $retainKeys: ["name", "secret"], secret: { secretName: "s" } },
                { $retainKeys: ["name"] },
                { $retainKeys: ["emptyDir", "name"], emptyDir: { medium: "Memory" } },
              ]),
            ),
          ),
          ...maybe(r, 0.2, () => ({
            tolerations: r.pick([[{ key: "b", operator: "Exists" }], null, [{ $patch: "replace" }], []]),
          })),
          ...maybe(r, 0.2, () =>
            items(r, "hostAliases", "ip", ["10.0.0.1", "10.0.0.2"], () => ({
              hostnames: r.pick([["c"], [], null, ["a", "c"]]),
            })),
          ),
          ...maybe(r, 0.2, () => items(r, "imagePullSecrets", "name", ["a", "b"], () => ({}))),
          ...maybe(r, 0.1, () =>
            items(r, "topologySpreadConstraints", "topologyKey", ["a", "b"], () => ({
              maxSkew: 1,
              whenUnsatisfiable: "DoNotSchedule",
            })),
          ),
          ...maybe(r, 0.05, () => ({ $patch: r.pick(["replace", "delete", "odd"]) })),
          ...maybe(r, 0.05, () => ({ $retainKeys: r.pick([["containers"], ["volumes"], []]) })),
          ...maybe(r, 0.05, () => ({ unknown: r.pick([1, { a: 1 }, [{ a: 1 }]]) })),
        },
      },
    })),
  };
}

function servicePatch(r) {
  return {
    ...maybe(r, 0.6, () =>
      items(r, "ports", "port", [80, 81, 82], () =>
        r.pick([{ name: "a" }, { name: "c" }, { protocol: "UDP" }, { targetPort: "x" }, { nodePort: null }]),
      ),
    ),
    ...maybe(r, 0.4, () => ({ selector: map(r) })),
    ...maybe(r, 0.3, () => primitives(r, "externalIPs", ["10.1.0.1", "10.1.0.3"])),
    ...maybe(r, 0.2, () => ({ type: r.pick(["NodePort", "ClusterIP", null, "ExternalName"]) })),
  };
}
