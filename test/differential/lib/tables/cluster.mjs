// Kinds about the cluster, its users and its policies, for tables.

import { certificate, requests } from "../certificate-requests.mjs";
import { anyText, conditions, maybe, selector, several, someText } from "./values.mjs";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const admission = "/apis/admissionregistration.k8s.io";
const resourceGroup = "/apis/resource.k8s.io/v1alpha2";

/** Names that may hold anything but slashes and percent signs. */
const pathName = (index) =>
  `t${index}${["", ":x", " a", "\n\t", "\u001b[31m", "é", "A,b", "?#", "x".repeat(300)][index % 9]}`;

const subject = (r) =>
  r.pick([
    () => ({ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: someText(r) }),
    () => ({ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: r.pick(["system:masters", someText(r)]) }),
    () => ({ kind: "ServiceAccount", name: r.pick(["default", "a.b"]), namespace: r.pick(["n", "kube-system"]) }),
  ])();
const binding = (r, kinds) => ({
  roleRef: {
    apiGroup: "rbac.authorization.k8s.io",
    kind: r.pick(kinds),
    name: r.pick(["r", "system:x", "a b", "é\n"]),
  },
  ...maybe(r, 0.9, () => ({ subjects: several(r, 5, subject) })),
});

const webhooks = (r) =>
  several(r, 3, (_, i) => ({
    name: `w${i}.example.com`,
    clientConfig: { url: "https://x.invalid" },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    failurePolicy: "Ignore",
    objectSelector: { matchLabels: { never: "matches" } },
  }));

const claim = (r) => ({
  resourceClassName: r.pick(["c", "a.b"]),
  ...maybe(r, 0.5, () => ({ allocationMode: r.pick(["Immediate", "WaitForFirstConsumer"]) })),
});

const level = (r) =>
  r.pick([
    { type: "Limited", limited: { nominalConcurrencyShares: r.int(50), limitResponse: { type: "Reject" } } },
    {
      type: "Limited",
      limited: {
        limitResponse: {
          type: "Queue",
          queuing: { queues: 8 + r.int(9), handSize: 1 + r.int(5), queueLengthLimit: 1 + r.int(50) },
        },
      },
    },
    { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: {} } } },
  ]);

const versionsOf = (group, versions, plural) => versions.map((version) => `/apis/${group}/${version}/${plural}`);

/** Kinds without a namespace in the main, and those of rights and resources. */
export const clusterKinds = [
  {
    paths: ["/api/v1/nodes"],
    kind: "Node",
    isOfCluster: true,
    draws: 2,
    object: (r) => ({
      metadata: {
        labels: {
          ...Object.fromEntries(
            r
              .some(["control-plane", "master", "worker", "a.b", "A"], 0.3)
              .map((role) => [`node-role.kubernetes.io/${role}`, r.pick(["", "true"])]),
          ),
          ...maybe(r, 0.4, () => ({ "kubernetes.io/role": r.pick(["", "worker", "Zed"]) })),
        },
      },
      spec: maybe(r, 0.4, () => ({ unschedulable: r.chance(0.8) })),
    }),
    status: (r) => ({
      ...maybe(r, 0.8, () => ({ conditions: conditions(r, ["Ready", "MemoryPressure", "DiskPressure"]) })),
      ...maybe(r, 0.7, () => ({
        addresses: several(r, 4, () => ({
          type: r.pick(["InternalIP", "ExternalIP", "Hostname"]),
          address: r.pick(["1.2.3.4", "fd00::1", "h", anyText(r)]),
        })),
      })),
      ...maybe(r, 0.7, () => ({
        nodeInfo: {
          ...Object.fromEntries(
            ["machineID", "systemUUID", "bootID", "kubeProxyVersion", "operatingSystem", "architecture"].map((name) => [
              name,
              "",
            ]),
          ),
          ...Object.fromEntries(
            ["kubeletVersion", "osImage", "kernelVersion", "containerRuntimeVersion"].map((name) => [name, anyText(r)]),
          ),
        },
      })),
    }),
  },
  {
    paths: ["/api/v1/namespaces"],
    kind: "Namespace",
    isOfCluster: true,
    stays: true,
    object: () => ({}),
    status: (r) => maybe(r, 0.5, () => ({ phase: r.pick(["Active", "Terminating", "Odd", ""]) })),
  },
  {
    paths: ["/api/v1/secrets"],
    kind: "Secret",
    object: (r) => ({
      ...maybe(r, 0.5, () => ({ type: r.pick(["Opaque", "example.com/t", anyText(r)]) })),
      ...maybe(r, 0.7, () => ({ data: Object.fromEntries(r.some(["a", "b", "c.d"]).map((key) => [key, "YQ=="])) })),
      ...maybe(r, 0.3, () => ({ stringData: { a: anyText(r), z: "" } })),
    }),
  },
  {
    paths: ["/api/v1/configmaps"],
    kind: "ConfigMap",
    object: (r) => ({
      ...maybe(r, 0.7, () => ({
        data: Object.fromEntries(r.some(["a", "b", "c.d", "__proto__", "constructor"]).map((key) => [key, anyText(r)])),
      })),
      ...maybe(r, 0.4, () => ({ binaryData: { bin: "YQ==" } })),
    }),
  },
  {
    paths: ["/api/v1/serviceaccounts"],
    kind: "ServiceAccount",
    object: (r) => ({ ...maybe(r, 0.6, () => ({ secrets: several(r, 3, (_, i) => ({ name: `s${i}` })) })) }),
  },
  {
    paths: ["/apis/certificates.k8s.io/v1/certificatesigningrequests"],
    kind: "CertificateSigningRequest",
    isOfCluster: true,
    draws: 2,
    object: (r) => ({
      spec: {
        request: requests.none,
        signerName: r.pick(["example.com/s", "kubernetes.io/kube-apiserver-client", "a.b/c"]),
        usages: ["client auth"],
        ...maybe(r, 0.7, () => ({
          expirationSeconds: r.pick([
            600, 601, 3599, 3600, 86400, 100000, 172800, 700000, 31536000, 63072000, 2147483647,
          ]),
        })),
      },
    }),
    statuses: (r) => {
      const condition = (type) => ({ type, status: "True", reason: "r", message: anyText(r) });
      const decided = r.some(["Approved", "Denied"], 0.4).slice(0, 1).map(condition);
      return {
        approval: { conditions: decided },
        status: {
          conditions: [...decided, ...r.some(["Failed", "Odd"], 0.3).map(condition)],
          ...maybe(r, 0.4, () => ({ certificate })),
        },
      };
    },
  },
  {
    paths: ["/apis/certificates.k8s.io/v1alpha1/clustertrustbundles"],
    kind: "ClusterTrustBundle",
    isOfCluster: true,
    name: (index) => (index % 2 === 0 ? `t${index}` : `example.com:s:t${index}`),
    object: (_, { index }) => ({
      spec: {
        trustBundle: Buffer.from(certificate, "base64").toString(),
        ...(index % 2 === 0 ? {} : { signerName: "example.com/s" }),
      },
    }),
  },
  {
    paths: ["/apis/coordination.k8s.io/v1/leases"],
    kind: "Lease",
    object: (r) => ({
      spec: {
        ...maybe(r, 0.7, () => ({ holderIdentity: someText(r) })),
        ...maybe(r, 0.3, () => ({ leaseDurationSeconds: 15 })),
      },
    }),
  },
  {
    paths: ["/apis/scheduling.k8s.io/v1/priorityclasses"],
    kind: "PriorityClass",
    isOfCluster: true,
    object: (r) => ({
      value: r.pick([0, 1, -5, 1000000000, -2147483648]),
      ...maybe(r, 0.4, () => ({ globalDefault: r.pick([true, false]) })),
      description: anyText(r),
    }),
  },
  {
    paths: ["/apis/node.k8s.io/v1/runtimeclasses"],
    kind: "RuntimeClass",
    isOfCluster: true,
    object: (r) => ({ handler: r.pick(["runc", "x-1"]) }),
  },
  ...[
    ["roles", "Role"],
    ["clusterroles", "ClusterRole"],
  ].map(([plural, kind]) => ({
    paths: [`${rbac}/${plural}`],
    kind,
    isOfCluster: plural === "clusterroles",
    name: pathName,
    object: (r) => ({ rules: several(r, 2, () => ({ apiGroups: [""], resources: ["pods"], verbs: ["get"] })) }),
  })),
  ...[
    ["rolebindings", "RoleBinding"],
    ["clusterrolebindings", "ClusterRoleBinding"],
  ].map(([plural, kind]) => ({
    paths: [`${rbac}/${plural}`],
    kind,
    isOfCluster: plural === "clusterrolebindings",
    name: pathName,
    object: (r) => binding(r, plural === "rolebindings" ? ["Role", "ClusterRole"] : ["ClusterRole"]),
  })),
  ...["Mutating", "Validating"].map((sort) => ({
    paths: [`${admission}/v1/${sort.toLowerCase()}webhookconfigurations`],
    kind: `${sort}WebhookConfiguration`,
    isOfCluster: true,
    object: (r) => ({ webhooks: webhooks(r) }),
  })),
  {
    paths: versionsOf("admissionregistration.k8s.io", ["v1beta1", "v1alpha1"], "validatingadmissionpolicies"),
    kind: "ValidatingAdmissionPolicy",
    isOfCluster: true,
    object: (r) => ({
      spec: {
        failurePolicy: "Ignore",
        matchConstraints: {
          resourceRules: [
            { apiGroups: ["none.example.com"], apiVersions: ["v1"], resources: ["none"], operations: ["CREATE"] },
          ],
        },
        validations: [{ expression: "true" }, ...several(r, 2, () => ({ expression: "1 == 1", message: "m" }))],
        ...maybe(r, 0.6, () => ({
          paramKind: { apiVersion: r.pick(["v1", "rules.example.com/v1"]), kind: r.pick(["ConfigMap", "Rule"]) },
        })),
      },
    }),
    status: (r) => maybe(r, 0.5, () => ({ observedGeneration: 1 })),
  },
  {
    paths: versionsOf("admissionregistration.k8s.io", ["v1beta1", "v1alpha1"], "validatingadmissionpolicybindings"),
    kind: "ValidatingAdmissionPolicyBinding",
    isOfCluster: true,
    draws: 2,
    object: (r) => ({
      spec: {
        policyName: r.pick(["p", "a.b"]),
        validationActions: ["Audit"],
        ...maybe(r, 0.8, () => ({
          paramRef: {
            parameterNotFoundAction: "Deny",
            ...r.pick([
              { name: "p" },
              { name: "a.b", namespace: "n" },
              { selector: selector(r) },
              { selector: selector(r), namespace: "n" },
              { selector: {} },
            ]),
          },
        })),
      },
    }),
  },
  {
    paths: versionsOf("flowcontrol.apiserver.k8s.io", ["v1", "v1beta3"], "flowschemas"),
    kind: "FlowSchema",
    hasController: true,
    isOfCluster: true,
    object: (r) => ({
      spec: {
        priorityLevelConfiguration: { name: r.pick(["exempt", "nowhere", "catch-all"]) },
        ...maybe(r, 0.6, () => ({ matchingPrecedence: r.pick([1, 500, 9999, 10000, 9000]) })),
        ...maybe(r, 0.6, () => ({ distinguisherMethod: { type: r.pick(["ByUser", "ByNamespace"]) } })),
      },
    }),
  },
  {
    paths: versionsOf("flowcontrol.apiserver.k8s.io", ["v1", "v1beta3"], "prioritylevelconfigurations"),
    kind: "PriorityLevelConfiguration",
    hasController: true,
    isOfCluster: true,
    object: (r) => ({ spec: level(r) }),
  },
  {
    paths: ["/apis/internal.apiserver.k8s.io/v1alpha1/storageversions"],
    kind: "StorageVersion",
    isOfCluster: true,
    name: (index) => `example.com.t${index}`,
    object: () => ({ spec: {} }),
    status: (r) => {
      const versions = r.pick([["v1"], ["example.com/v1"], ["v1", "v2"]]);
      const storageVersions = several(r, 5, (_, i) => ({
        apiServerID: `s${i}`,
        encodingVersion: r.pick(versions),
        decodableVersions: ["v1", "v2", "example.com/v1"],
      }));
      const [first, ...others] = new Set(storageVersions.map(({ encodingVersion }) => encodingVersion));
      return { storageVersions, ...(first && others.length === 0 && { commonEncodingVersion: first }) };
    },
  },
  {
    paths: [`${resourceGroup}/resourceclaims`],
    kind: "ResourceClaim",
    isDeleted: 0.3,
    draws: 2,
    object: (r) => ({ spec: claim(r) }),
    status: (r) => ({
      ...maybe(r, 0.7, () => ({ driverName: "d", allocation: maybe(r, 0.5, () => ({ shareable: true })) })),
      ...maybe(r, 0.4, () => ({ reservedFor: [{ resource: "pods", name: "p", uid: "u" }] })),
      ...maybe(r, 0.2, () => ({ deallocationRequested: true })),
    }),
  },
  {
    paths: [`${resourceGroup}/resourceclaimtemplates`],
    kind: "ResourceClaimTemplate",
    object: (r) => ({ spec: { spec: claim(r) } }),
  },
  {
    paths: [`${resourceGroup}/resourceclasses`],
    kind: "ResourceClass",
    isOfCluster: true,
    object: (r) => ({ driverName: r.pick(["d.example.com", "d"]) }),
  },
  {
    paths: [`${resourceGroup}/podschedulingcontexts`],
    kind: "PodSchedulingContext",
    object: (r) => ({ spec: maybe(r, 0.6, () => ({ selectedNode: r.pick(["n1", someText(r)]) })) }),
  },
  {
    paths: ["/apis/apiregistration.k8s.io/v1/apiservices"],
    kind: "APIService",
    hasController: true,
    isOfCluster: true,
    stays: true,
    draws: 0.3,
    name: (index) => `v1.t${index}.example.com`,
    object: (r, { index }) => ({
      spec: {
        group: `t${index}.example.com`,
        version: "v1",
        groupPriorityMinimum: 1,
        versionPriority: 1,
        service: { name: "s", namespace: r.pick(["nowhere", "n"]) },
        insecureSkipTLSVerify: true,
      },
    }),
  },
  {
    paths: ["/apis/apiextensions.k8s.io/v1/customresourcedefinitions"],
    kind: "CustomResourceDefinition",
    hasController: true,
    isOfCluster: true,
    draws: 0.2,
    name: (index) => `t${index}s.tables.example.com`,
    object: (_, { index }) => ({
      spec: {
        group: "tables.example.com",
        scope: "Namespaced",
        names: { plural: `t${index}s`, kind: `T${index}` },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    }),
  },
];
