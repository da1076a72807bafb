// Kinds that the policies and webhooks of the areas are about: objects drawn at random, and what expressions may name of them.
// `{ns}` in a path stands for a namespace.

const names = ["a", "b", "prod-a"];
const labels = (r) =>
  Object.fromEntries(r.some(["a", "env", "team", "example.com/x"], 0.4).map((key) => [key, text(r)]));
const text = (r) => r.pick(["a", "b", "abc", "prod", "x-y", "10", "Kubernetes"]);
const metadata = (r, name) => ({
  name,
  ...(r.chance(0.6) && { labels: labels(r) }),
  ...(r.chance(0.3) && { annotations: labels(r) }),
});
const image = (r) =>
  r.pick(["nginx", "nginx:latest", "nginx:1.25", "registry.example.com/a/b@sha256:abc", "ghcr.io/x/y:v1"]);

function container(r, name) {
  return {
    name,
    image: image(r),
    ...(r.chance(0.4) && { imagePullPolicy: r.pick(["Always", "IfNotPresent", "Never"]) }),
    ...(r.chance(0.5) && {
      resources: {
        ...(r.chance(0.6) && { limits: { cpu: r.pick(["200m", "2"]), memory: r.pick(["5Gi", "64Mi"]) } }),
        ...(r.chance(0.6) && { requests: { cpu: "100m" } }),
      },
    }),
    ...(r.chance(0.4) && {
      securityContext: {
        ...(r.chance(0.5) && { runAsNonRoot: r.chance(0.5) }),
        ...(r.chance(0.4) && { runAsUser: r.pick([0, 1000]) }),
        ...(r.chance(0.4) && { capabilities: { drop: r.some(["ALL", "NET_RAW"], 0.6), add: r.some(["CHOWN"], 0.3) } }),
        ...(r.chance(0.5) && { allowPrivilegeEscalation: r.chance(0.3) }),
      },
    }),
    ...(r.chance(0.4) && { ports: r.some([80, 443, 8080], 0.5).map((containerPort) => ({ containerPort })) }),
    ...(r.chance(0.4) && {
      env: r.some(["A", "B"], 0.7).map((key) => (r.chance(0.8) ? { name: key, value: text(r) } : { name: key })),
    }),
  };
}

const podSpec = (r) => ({
  containers: ["c", "d"].slice(0, 1 + r.int(2)).map((name) => container(r, name)),
  ...(r.chance(0.2) && { initContainers: [container(r, "init")] }),
  ...(r.chance(0.3) && { hostNetwork: r.chance(0.3) }),
  ...(r.chance(0.3) && { serviceAccountName: r.pick(["default", "robot"]) }),
  ...(r.chance(0.3) && {
    volumes: [
      r.pick([
        { name: "v", emptyDir: {} },
        { name: "v", configMap: { name: "a" } },
        { name: "v", hostPath: { path: "/etc" } },
      ]),
    ],
  }),
  ...(r.chance(0.3) && { nodeSelector: { zone: text(r) } }),
  ...(r.chance(0.3) && {
    tolerations: [
      { key: "k", operator: "Exists", effect: "NoExecute", ...(r.chance(0.5) && { tolerationSeconds: 30 }) },
    ],
  }),
});

const meta = (o) => ({
  string: [
    `${o}.metadata.name`,
    `${o}.metadata.namespace`,
    `${o}.kind`,
    `${o}.apiVersion`,
    `${o}.metadata.labels.env`,
    `${o}.metadata.labels['a']`,
  ],
  members: [
    `${o}.metadata.labels`,
    `${o}.metadata.labels.a`,
    `${o}.metadata.annotations.env`,
    `${o}.metadata.generateName`,
    `${o}.metadata.finalizers`,
  ],
  map: [`${o}.metadata.labels`, `${o}.metadata.annotations`],
  any: [`${o}.metadata.labels`, `${o}.metadata.creationTimestamp`, `${o}.spec`, `${o}.status`, o],
});

const containerScope = {
  string: [".name", ".image", ".imagePullPolicy", ".resources.limits.cpu", ".resources.limits['memory']"],
  bool: [".securityContext.runAsNonRoot", ".securityContext.allowPrivilegeEscalation"],
  int: [".securityContext.runAsUser"],
  texts: [".securityContext.capabilities.drop", ".securityContext.capabilities.add"],
  map: [".resources.limits", ".resources.requests"],
  members: [
    ".securityContext",
    ".resources.limits",
    ".resources.limits.memory",
    ".securityContext.runAsUser",
    ".ports",
    ".env",
    ".livenessProbe",
  ],
  any: [".resources", ".terminationMessagePath", ".ports"],
  lists: [
    { of: ".ports", item: { int: [".containerPort"], string: [".protocol"], members: [".name", ".hostPort"] } },
    { of: ".env", item: { string: [".name", ".value"], members: [".value", ".valueFrom"] } },
  ],
};

const podScope = (spec) => ({
  string: [
    `${spec}.serviceAccountName`,
    `${spec}.restartPolicy`,
    `${spec}.dnsPolicy`,
    `${spec}.containers[0].image`,
    `${spec}.nodeSelector.zone`,
  ],
  bool: [`${spec}.hostNetwork`],
  int: [`${spec}.terminationGracePeriodSeconds`, `${spec}.containers.size()`],
  map: [`${spec}.nodeSelector`],
  members: [
    `${spec}.hostNetwork`,
    `${spec}.initContainers`,
    `${spec}.volumes`,
    `${spec}.nodeSelector`,
    `${spec}.securityContext.runAsUser`,
    `${spec}.securityContext`,
  ],
  lists: [
    { of: `${spec}.containers`, item: containerScope },
    { of: `${spec}.containers`, item: containerScope },
    { of: `${spec}.initContainers`, item: containerScope },
    {
      of: `${spec}.volumes`,
      item: { string: [".name", ".configMap.name"], members: [".hostPath", ".emptyDir", ".configMap"] },
    },
    {
      of: `${spec}.tolerations`,
      item: { string: [".key", ".operator"], int: [".tolerationSeconds"], members: [".tolerationSeconds", ".value"] },
    },
  ],
});

/** Kinds by name. `make` draws an object, `scope` tells of the object that an expression calls `o`. */
export const kinds = {
  configMap: {
    collection: "/api/v1/namespaces/{ns}/configmaps",
    rule: { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
    make: (r, name) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: metadata(r, name),
      ...(r.chance(0.8) && {
        data: Object.fromEntries(r.some(["a", "b", "limit", "x-y"], 0.6).map((key) => [key, text(r)])),
      }),
      ...(r.chance(0.2) && { immutable: false }),
      ...(r.chance(0.2) && { binaryData: { c: "YWJj" } }),
    }),
    scope: (o) => ({
      string: [`${o}.data.a`, `${o}.data['b']`, `${o}.data.limit`, `${o}.data['x-y']`],
      bool: [`${o}.immutable`],
      map: [`${o}.data`],
      members: [`${o}.data`, `${o}.data.a`, `${o}.data.b`, `${o}.immutable`, `${o}.binaryData.c`],
      any: [`${o}.data`, `${o}.binaryData.c`],
    }),
  },
  service: {
    collection: "/api/v1/namespaces/{ns}/services",
    rule: { apiGroups: [""], apiVersions: ["v1"], resources: ["services"] },
    make: (r, name) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: metadata(r, name),
      spec: {
        clusterIP: "None",
        ports: [80, 443].slice(0, 1 + r.int(2)).map((port) => ({
          name: `p${port}`,
          port,
          ...(r.chance(0.5) && { targetPort: r.pick([8080, "http", 1]) }),
          ...(r.chance(0.3) && { appProtocol: "http" }),
        })),
        ...(r.chance(0.5) && { selector: { app: text(r) } }),
        ...(r.chance(0.2) && { publishNotReadyAddresses: true }),
      },
    }),
    scope: (o) => ({
      string: [`${o}.spec.type`, `${o}.spec.clusterIP`, `${o}.spec.selector.app`, `${o}.spec.sessionAffinity`],
      int: [`${o}.spec.ports[0].port`],
      map: [`${o}.spec.selector`],
      texts: [`${o}.spec.clusterIPs`, `${o}.spec.ipFamilies`],
      members: [`${o}.spec.selector`, `${o}.spec.externalIPs`, `${o}.spec.publishNotReadyAddresses`, `${o}.spec.type`],
      any: [`${o}.spec.ports[0].targetPort`, `${o}.spec.ports[0]`],
      lists: [
        {
          of: `${o}.spec.ports`,
          item: {
            int: [".port"],
            string: [".name", ".protocol", ".appProtocol"],
            any: [".targetPort"],
            members: [".appProtocol", ".nodePort"],
          },
        },
      ],
    }),
  },
  pod: {
    collection: "/api/v1/namespaces/{ns}/pods",
    rule: { apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] },
    make: (r, name) => ({ apiVersion: "v1", kind: "Pod", metadata: metadata(r, name), spec: podSpec(r) }),
    scope: (o) => podScope(`${o}.spec`),
  },
  deployment: {
    collection: "/apis/apps/v1/namespaces/{ns}/deployments",
    rule: { apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments"] },
    scale: true,
    make: (r, name) => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: metadata(r, name),
      spec: {
        ...(r.chance(0.8) && { replicas: r.int(6) }),
        selector: { matchLabels: { app: "x" } },
        template: { metadata: { labels: { app: "x" } }, spec: podSpec(r) },
        ...(r.chance(0.3) && { paused: true }),
        ...(r.chance(0.4) && {
          strategy: {
            type: "RollingUpdate",
            rollingUpdate: { maxSurge: r.pick([1, "25%"]), maxUnavailable: r.pick([1, "50%"]) },
          },
        }),
      },
    }),
    scope: (o) => {
      const pod = podScope(`${o}.spec.template.spec`);
      return {
        ...pod,
        string: [...pod.string, `${o}.spec.strategy.type`, `${o}.spec.selector.matchLabels.app`],
        bool: [`${o}.spec.paused`],
        int: [`${o}.spec.replicas`, `${o}.spec.replicas`, `${o}.spec.revisionHistoryLimit`],
        any: [`${o}.spec.strategy.rollingUpdate.maxSurge`, `${o}.spec.template`],
        members: [...pod.members, `${o}.spec.paused`, `${o}.spec.strategy.rollingUpdate`, `${o}.spec.minReadySeconds`],
      };
    },
  },
  cronJob: {
    collection: "/apis/batch/v1/namespaces/{ns}/cronjobs",
    rule: { apiGroups: ["batch"], apiVersions: ["v1"], resources: ["cronjobs"] },
    make: (r, name) => ({
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: metadata(r, name),
      spec: {
        schedule: r.pick(["* * * * *", "@daily", "0 3 * * 1"]),
        ...(r.chance(0.5) && { concurrencyPolicy: r.pick(["Allow", "Forbid", "Replace"]) }),
        ...(r.chance(0.4) && { suspend: r.chance(0.5) }),
        jobTemplate: {
          spec: {
            ...(r.chance(0.5) && { backoffLimit: r.int(7) }),
            template: { spec: { ...podSpec(r), restartPolicy: "Never" } },
          },
        },
      },
    }),
    scope: (o) => ({
      string: [`${o}.spec.schedule`, `${o}.spec.concurrencyPolicy`, `${o}.spec.timeZone`],
      bool: [`${o}.spec.suspend`],
      int: [`${o}.spec.jobTemplate.spec.backoffLimit`, `${o}.spec.successfulJobsHistoryLimit`],
      members: [
        `${o}.spec.timeZone`,
        `${o}.spec.suspend`,
        `${o}.spec.startingDeadlineSeconds`,
        `${o}.spec.jobTemplate.spec.backoffLimit`,
      ],
      lists: [{ of: `${o}.spec.jobTemplate.spec.template.spec.containers`, item: containerScope }],
    }),
  },
  role: {
    collection: "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles",
    rule: { apiGroups: ["rbac.authorization.k8s.io"], apiVersions: ["v1"], resources: ["roles"] },
    make: (r, name) => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: metadata(r, name),
      rules: ["", "apps", "*"].slice(0, 1 + r.int(3)).map((group) => ({
        apiGroups: [group],
        resources: r.pick([["pods"], ["*"], ["secrets", "configmaps"]]),
        verbs: r.pick([["get"], ["*"], ["get", "list"]]),
      })),
    }),
    scope: (o) => ({
      members: [`${o}.rules`],
      any: [`${o}.rules`],
      lists: [
        {
          of: `${o}.rules`,
          item: { texts: [".verbs", ".resources", ".apiGroups"], members: [".resourceNames", ".nonResourceURLs"] },
        },
      ],
    }),
  },
  gadget: {
    collection: "/apis/policies.example.com/v1/namespaces/{ns}/gadgets",
    rule: { apiGroups: ["policies.example.com"], apiVersions: ["v1"], resources: ["gadgets"] },
    custom: true,
    make: (r, name) => ({
      apiVersion: "policies.example.com/v1",
      kind: "Gadget",
      metadata: metadata(r, name),
      spec: {
        ...(r.chance(0.8) && { size: r.int(12) }),
        ...(r.chance(0.6) && { ratio: r.pick([0, 0.5, 1, 2.25, 3]) }),
        ...(r.chance(0.7) && { tags: r.some(["a", "b", "abc", "prod"], 0.5) }),
        ...(r.chance(0.6) && {
          parts: ["x", "y"]
            .slice(0, 1 + r.int(2))
            .map((key) => ({ name: key, ...(r.chance(0.7) && { count: r.int(5) }) })),
        }),
        ...(r.chance(0.5) && { either: r.pick([1, "50%", "a"]) }),
        ...(r.chance(0.5) && { extra: labels(r) }),
        ...(r.chance(0.4) && { free: r.pick([1, "a", { a: { b: 1 } }, [1, "a"], 1.5]) }),
        ...(r.chance(0.4) && {
          "odd-name": text(r),
          since: r.pick(["2020-01-01T00:00:00Z", "2024-02-29T12:00:00.5Z"]),
        }),
      },
    }),
    scope: (o) => ({
      string: [
        `${o}.spec['odd-name']`,
        `${o}.spec.since`,
        `${o}.spec.tags[0]`,
        `${o}.spec.parts[0].name`,
        `string(${o}.spec.either)`,
      ],
      int: [`${o}.spec.size`, `${o}.spec.size`, `${o}.spec.parts[0].count`],
      double: [`${o}.spec.ratio`],
      texts: [`${o}.spec.tags`],
      map: [`${o}.spec.extra`],
      any: [`${o}.spec.either`, `${o}.spec.free`, `${o}.spec.ratio`, `${o}.spec.parts`],
      members: [
        `${o}.spec.size`,
        `${o}.spec.tags`,
        `${o}.spec.parts`,
        `${o}.spec.either`,
        `${o}.spec.free`,
        `${o}.spec.since`,
        `${o}.spec.extra.env`,
      ],
      lists: [{ of: `${o}.spec.parts`, item: { string: [".name"], int: [".count"], members: [".count"] } }],
    }),
  },
};

/** The definition of Gadgets, and of Limits, which are cluster-wide parameters. */
export const definitions = [
  definition("Gadget", "Namespaced", {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          size: { type: "integer" },
          ratio: { type: "number" },
          tags: { type: "array", items: { type: "string" } },
          parts: {
            type: "array",
            items: { type: "object", properties: { name: { type: "string" }, count: { type: "integer" } } },
          },
          either: { "x-kubernetes-int-or-string": true },
          extra: { type: "object", additionalProperties: { type: "string" } },
          free: { "x-kubernetes-preserve-unknown-fields": true },
          "odd-name": { type: "string" },
          since: { type: "string", format: "date-time" },
        },
      },
    },
  }),
  definition("Limit", "Cluster", {
    type: "object",
    properties: {
      max: { type: "integer" },
      text: { type: "string" },
      ratio: { type: "number" },
      allowed: { type: "array", items: { type: "string" } },
    },
  }),
];

function definition(kind, scope, schema) {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.policies.example.com` },
    spec: {
      group: "policies.example.com",
      scope,
      names: { plural, kind },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/** Returns the names that an expression may use for parts of an object called `o` of a kind, its metadata too. */
export function scopeOf(kind, o) {
  return merged(meta(o), kind.scope(o));
}

/** Scopes in one. */
export function merged(...scopes) {
  const result = {};
  for (const scope of scopes)
    for (const [key, value] of Object.entries(scope))
      result[key] = Array.isArray(value) ? [...(result[key] ?? []), ...value] : value;
  return result;
}

/** The parts of the request that every expression may name. */
export const requestScope = {
  string: [
    "request.operation",
    "request.userInfo.username",
    "request.name",
    "request.namespace",
    "request.kind.kind",
    "request.resource.resource",
    "request.subResource",
    "request.requestKind.version",
  ],
  bool: ["request.dryRun"],
  texts: ["request.userInfo.groups"],
  members: ["request.dryRun", "request.subResource", "request.userInfo.extra", "request.options", "request.name"],
  any: ["request.uid", "request.options", "request.userInfo.extra", "request.requestResource"],
  authorizer: true,
};

export const objectNames = names;
