import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { builtinResources } from "./builtin-resources.js";

interface Row {
  readonly is: string;
  /** The plural of the resource, with its group: `pods`, `jobs.batch`. */
  readonly resource: string;
  readonly object: JsonObject;
  readonly old?: JsonObject;
  readonly warns: readonly string[];
}

const topology = "failure-domain.beta.kubernetes.io/zone";
const deprecatedTopology = 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead';
const dnsLabel = "[must not contain dots]";

function pod(spec: JsonObject, annotations: JsonObject = {}): JsonObject {
  return { metadata: { name: "p", annotations }, spec };
}

function containers(...items: JsonObject[]): JsonObject {
  return pod({ containers: items });
}

const rows: readonly Row[] = [
  { is: "a plain pod", resource: "pods", object: containers({ name: "c" }), warns: [] },
  {
    is: "a pod whose name is no host name",
    resource: "pods",
    object: { metadata: { name: "a.b" }, spec: {} },
    warns: [
      `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: ${dnsLabel}`,
    ],
  },
  {
    is: "labels of nodes that have new names",
    resource: "pods",
    object: pod({
      nodeSelector: { "beta.kubernetes.io/os": "linux", disk: "ssd" },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: topology, operator: "Exists" }] }],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            { preference: { matchExpressions: [{ key: "x" }, { key: topology }] } },
          ],
        },
      },
      topologySpreadConstraints: [{ topologyKey: topology }],
    }),
    warns: [
      'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
      `spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: ${topology} is ${deprecatedTopology}`,
      `spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[1].key: ${topology} is ${deprecatedTopology}`,
      `spec.topologySpreadConstraints[0].topologyKey: ${topology} is ${deprecatedTopology}`,
      "spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod",
    ],
  },
  {
    is: "volume plugins that are gone, under the names that v1.29 has for them",
    resource: "pods",
    object: pod({
      volumes: [
        { name: "a", storageos: {} },
        { name: "b", gitRepo: {} },
        { name: "c", emptyDir: {} },
      ],
    }),
    warns: [
      "spec.volumes[0].storageOS: deprecated in v1.22, non-functional in v1.25+",
      "spec.volumes[1].gitRepo: deprecated in v1.11",
    ],
  },
  {
    is: "half a byte",
    resource: "pods",
    object: pod({
      overhead: { memory: "100m" },
      containers: [{ name: "c", resources: { limits: { memory: "1500m" }, requests: { memory: "1Ki", cpu: "100m" } } }],
      volumes: [{ ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: "1500m" } } } } } }],
    }),
    warns: [
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
      'spec.overhead[memory]: fractional byte value "100m" is invalid, must be an integer',
      'spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer',
    ],
  },
  {
    is: "things said twice, and names left empty",
    resource: "pods",
    object: pod({
      hostAliases: [{ ip: "1.1.1.1" }, { ip: "1.1.1.1" }],
      imagePullSecrets: [{ name: "a" }, { name: "a" }, {}],
    }),
    warns: [
      'spec.hostAliases[1].ip: duplicate ip "1.1.1.1"',
      'spec.imagePullSecrets[1].name: duplicate name "a"',
      'spec.imagePullSecrets[2].name: invalid empty name ""',
    ],
  },
  {
    is: "annotations that have become members",
    resource: "pods",
    object: pod(
      { containers: [{ name: "c" }, { name: "d", securityContext: { seccompProfile: { type: "Unconfined" } } }] },
      {
        "scheduler.alpha.kubernetes.io/critical-pod": "",
        "seccomp.security.alpha.kubernetes.io/pod": "x",
        "container.seccomp.security.alpha.kubernetes.io/c": "x",
        "container.seccomp.security.alpha.kubernetes.io/d": "x",
      },
    ),
    warns: [
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
      'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
      'metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]: non-functional in v1.27+; use the "seccompProfile" field instead',
    ],
  },
  {
    is: "variables that hide others, but not those that extend them",
    resource: "pods",
    object: containers({
      name: "c",
      env: [
        { name: "A", value: "1" },
        { name: "A", value: "$(A):2" },
        { name: "A", value: "$(A)" },
        { name: "A", valueFrom: {} },
        { name: "B", value: "$(A)" },
      ],
    }),
    warns: [
      'spec.containers[0].env[2]: hides previous definition of "A"',
      'spec.containers[0].env[3]: hides previous definition of "A"',
    ],
  },
  {
    is: "ports of several containers that get in each other's way",
    resource: "pods",
    object: pod({
      initContainers: [{ ports: [{ containerPort: 80, protocol: "TCP" }] }],
      containers: [
        {
          ports: [
            { containerPort: 80, protocol: "TCP" },
            { containerPort: 80, protocol: "UDP" },
          ],
        },
        { ports: [{ name: "h", containerPort: 81, hostPort: 81, hostIP: "10.0.0.1", protocol: "TCP" }] },
        {
          ports: [
            { containerPort: 81, hostPort: 81, protocol: "TCP" },
            { containerPort: 81, protocol: "TCP" },
          ],
        },
        { ports: [{ containerPort: 9, hostIP: "10.0.0.1", protocol: "TCP" }] },
      ],
    }),
    warns: [
      "spec.containers[0].ports[0]: duplicate port definition with spec.initContainers[0].ports[0]",
      "spec.containers[2].ports[0]: dangerously ambiguous port definition with spec.containers[1].ports[0]",
      "spec.containers[2].ports[1]: overlapping port definition with spec.containers[1].ports[0]",
      "spec.containers[2].ports[1]: overlapping port definition with spec.containers[2].ports[0]",
      "spec.containers[3].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:9 Protocol:TCP HostIP:10.0.0.1}",
    ],
  },
  {
    is: "a negative grace period, and affinities to nothing",
    resource: "pods",
    object: pod({
      terminationGracePeriodSeconds: -1,
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "k" }] },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { podAffinityTerm: { labelSelector: {} } },
            { podAffinityTerm: {} },
          ],
        },
      },
    }),
    warns: [
      "spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod",
      "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[1].podAffinityTerm.labelSelector: a null labelSelector results in matching no pod",
    ],
  },
  {
    is: "updates of pods not at all",
    resource: "pods",
    object: pod({ terminationGracePeriodSeconds: -1 }),
    old: {},
    warns: [],
  },
  {
    is: "the template of a deployment, and its name",
    resource: "deployments.apps",
    object: {
      metadata: { name: "a.b", generation: 1 },
      spec: { template: { spec: { terminationGracePeriodSeconds: -1 } } },
    },
    warns: [
      `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: ${dnsLabel}`,
      "spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
    ],
  },
  {
    is: "a template only while something changes",
    resource: "replicasets.apps",
    object: { metadata: { generation: 2 }, spec: { template: { spec: { terminationGracePeriodSeconds: -1 } } } },
    old: { metadata: { generation: 2 } },
    warns: [],
  },
  {
    is: "the template of a daemon set when it has changed",
    resource: "daemonsets.apps",
    object: {
      metadata: { annotations: { "deprecated.daemonset.template.generation": "2" } },
      spec: { template: { spec: { nodeSelector: { [topology]: "z" } } } },
    },
    old: { metadata: { annotations: { "deprecated.daemonset.template.generation": "1" } } },
    warns: [`spec.template.spec.nodeSelector[${topology}]: ${deprecatedTopology}`],
  },
  {
    is: "claims of a stateful set",
    resource: "statefulsets.apps",
    object: { spec: { volumeClaimTemplates: [{ spec: { resources: { limits: { storage: "1m" } } } }] } },
    warns: [
      'spec.volumeClaimTemplates[0].resources.limits[storage]: fractional byte value "1m" is invalid, must be an integer',
    ],
  },
  {
    is: "an indexed job that is too large to be told about in a status",
    resource: "jobs.batch",
    object: { metadata: { name: "j" }, spec: { completionMode: "Indexed", completions: 100_001, parallelism: 10_001 } },
    warns: [
      "spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail",
    ],
  },
  {
    is: "a time zone in an old schedule",
    resource: "cronjobs.batch",
    object: { metadata: { generation: 1 }, spec: { schedule: "TZ=UTC 0 0 * * *" } },
    old: { metadata: { generation: 1 } },
    warns: [
      "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
    ],
  },
  {
    is: "a claim with the annotation of old",
    resource: "persistentvolumeclaims",
    object: { metadata: { annotations: { "volume.beta.kubernetes.io/storage-class": "" } } },
    warns: [
      'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
    ],
  },
  {
    is: "a volume of a plugin that is gone, bound to a zone by its old label",
    resource: "persistentvolumes",
    object: {
      spec: {
        rbd: {},
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: topology }] }] } },
      },
    },
    warns: [
      `spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: ${topology} is ${deprecatedTopology}`,
      "spec.rbd: deprecated in v1.28, non-functional in v1.31+",
    ],
  },
  {
    is: "addresses that will not be accepted for ever, or are not in canonical form",
    resource: "services",
    object: {
      metadata: { annotations: { "service.kubernetes.io/topology-aware-hints": "auto" } },
      spec: {
        type: "ClusterIP",
        clusterIPs: ["fd00:0::1"],
        externalIPs: ["010.0.0.1", "10.0.0.1"],
        loadBalancerIP: "::FFFF:1.2.3.4",
        loadBalancerSourceRanges: ["FD00::/8", "10.0.0.0/08"],
        externalName: "x",
      },
    },
    warns: [
      "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead",
      'spec.clusterIPs[0]: IPv6 address "fd00:0::1" is not in RFC 5952 canonical format ("fd00::1"), which may cause controller apply-loops',
      'spec.externalIPs[0]: IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr("010.0.0.1"): IPv4 field has octet with leading zero',
      'spec.loadBalancerIP: IPv6 address "::FFFF:1.2.3.4" is not in RFC 5952 canonical format ("::ffff:1.2.3.4"), which may cause controller apply-loops',
      'spec.loadBalancerSourceRanges[0]: IPv6 prefix "FD00::/8" is not in RFC 5952 canonical format ("fd00::/8"), which may cause controller apply-loops',
      'spec.loadBalancerSourceRanges[1]: IP prefix was accepted, but will be invalid in a future Kubernetes release: netip.ParsePrefix("10.0.0.0/08"): bad bits after slash: "08"',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
  },
  {
    is: "addresses of a service that has none",
    resource: "services",
    object: { spec: { type: "ExternalName", externalName: "x", externalIPs: ["10.0.0.1"] } },
    warns: ['spec.externalIPs is ignored when spec.type is "ExternalName"'],
  },
  {
    is: "the class of an ingress in an annotation",
    resource: "ingresses.networking.k8s.io",
    object: { metadata: { annotations: { "kubernetes.io/ingress.class": "x" } }, spec: {} },
    warns: [`annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`],
  },
  {
    is: "host names in the place of addresses",
    resource: "endpointslices.discovery.k8s.io",
    object: { addressType: "FQDN" },
    warns: ["spec.addressType: FQDN endpoints are deprecated"],
  },
  {
    is: "an old label in a runtime class",
    resource: "runtimeclasses.node.k8s.io",
    object: { scheduling: { nodeSelector: { [topology]: "z" } } },
    warns: [`scheduling.nodeSelector: ${deprecatedTopology}`],
  },
  {
    is: "an old label in a storage class",
    resource: "storageclasses.storage.k8s.io",
    object: { allowedTopologies: [{ matchLabelExpressions: [{ key: "x" }, { key: topology }] }] },
    warns: [`allowedTopologies[0].matchLabelExpressions[1].key: ${deprecatedTopology}`],
  },
  {
    is: "old labels in a storage capacity",
    resource: "csistoragecapacities.storage.k8s.io",
    object: { nodeTopology: { matchLabels: { [topology]: "z" }, matchExpressions: [{ key: topology }] } },
    warns: [
      `nodeTopology.matchExpressions[0].key: ${topology} is ${deprecatedTopology}`,
      `nodeTopology.matchLabels.${topology}: ${deprecatedTopology}`,
    ],
  },
  {
    is: "members of a node that nothing reads any more",
    resource: "nodes",
    object: { spec: { configSource: {}, externalID: "x" } },
    old: {},
    warns: [
      "spec.configSource: the feature is removed",
      "spec.externalID: this field is deprecated, and is unused by Kubernetes",
    ],
  },
];

for (const row of rows) {
  test(`warnings for ${row.resource} tell of ${row.is}`, () => {
    const [resource = "", ...group] = row.resource.split(".");
    const definition = builtinResources.find((item) => item.resource === resource && item.group === group.join("."));
    assert.ok(definition?.strategy.update.warningsOnUpdate !== undefined);
    assert.deepEqual(definition.strategy.update.warningsOnUpdate(row.object, row.old), row.warns);
  });
}
