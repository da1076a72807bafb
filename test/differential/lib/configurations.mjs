// Documents of configuration that v1.29's server takes, one of each kind with most of its members, and the flags that name them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** `[{ name, document, flags: (file) => flags }]`. Files that documents name are written into the folder. */
export function documents(folder) {
  const kubeconfig = join(folder, "webhook.kubeconfig");
  writeFileSync(kubeconfig, JSON.stringify(webhookKubeconfig));
  return [
    {
      name: "audit-policy",
      document: auditPolicy,
      flags: (file) => [`--audit-policy-file=${file}`, "--audit-log-path=-"],
    },
    {
      name: "authentication",
      document: authentication,
      flags: (file) => [
        `--authentication-config=${file}`,
        "--feature-gates=StructuredAuthenticationConfiguration=true",
      ],
    },
    {
      name: "authorization",
      document: authorization(kubeconfig),
      flags: (file) => [`--authorization-config=${file}`, "--feature-gates=StructuredAuthorizationConfiguration=true"],
    },
    { name: "encryption", document: encryption, flags: (file) => [`--encryption-provider-config=${file}`] },
    {
      name: "admission",
      document: admission,
      flags: (file) => [
        `--admission-control-config-file=${file}`,
        "--enable-admission-plugins=EventRateLimit,PodNodeSelector,PodTolerationRestriction",
      ],
    },
    { name: "egress-selector", document: egressSelector, flags: (file) => [`--egress-selector-config-file=${file}`] },
    { name: "tracing", document: tracing, flags: (file) => [`--tracing-config-file=${file}`] },
    {
      name: "webhook-kubeconfig",
      document: webhookKubeconfig,
      flags: (file) => ["--authorization-mode=RBAC,Webhook", `--authorization-webhook-config-file=${file}`],
    },
  ];
}

const webhookKubeconfig = {
  apiVersion: "v1",
  kind: "Config",
  clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:1/authorize", "insecure-skip-tls-verify": true } }],
  users: [{ name: "u", user: { token: "t" } }],
  contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "n" } }],
  "current-context": "x",
};

const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  metadata: { name: "p" },
  omitStages: ["RequestReceived"],
  omitManagedFields: true,
  rules: [
    {
      level: "Request",
      users: ["jane"],
      userGroups: ["system:authenticated"],
      verbs: ["get", "list"],
      resources: [{ group: "apps", resources: ["deployments", "deployments/status", "*/scale"], resourceNames: ["a"] }],
      namespaces: ["default", ""],
      omitStages: ["ResponseStarted"],
      omitManagedFields: false,
    },
    { level: "Metadata", nonResourceURLs: ["/healthz*", "/version"] },
    { level: "None" },
  ],
};

const authentication = {
  apiVersion: "apiserver.config.k8s.io/v1alpha1",
  kind: "AuthenticationConfiguration",
  jwt: [
    {
      issuer: { url: "https://issuer.example.com", audiences: ["a"] },
      claimValidationRules: [
        { claim: "hd", requiredValue: "example.com" },
        { expression: "claims.exp - claims.nbf <= 86400", message: "too long" },
      ],
      claimMappings: {
        username: { expression: 'claims.sub + "x"' },
        groups: { claim: "groups", prefix: "oidc:" },
        uid: { claim: "sub" },
        extra: [{ key: "example.com/tenant", valueExpression: "claims.tenant" }],
      },
      userValidationRules: [{ expression: "!user.username.startsWith('system:')", message: "reserved" }],
    },
  ],
};

function authorization(kubeconfig) {
  return {
    apiVersion: "apiserver.config.k8s.io/v1alpha1",
    kind: "AuthorizationConfiguration",
    authorizers: [
      {
        type: "Webhook",
        name: "hook.example.com",
        webhook: {
          authorizedTTL: "30s",
          unauthorizedTTL: "30s",
          timeout: "3s",
          subjectAccessReviewVersion: "v1",
          matchConditionSubjectAccessReviewVersion: "v1",
          failurePolicy: "Deny",
          connectionInfo: { type: "KubeConfigFile", kubeConfigFile: kubeconfig },
          matchConditions: [{ expression: "has(request.resourceAttributes)" }],
        },
      },
      { type: "Node", name: "node" },
      { type: "RBAC", name: "rbac" },
    ],
  };
}

const secret = Buffer.alloc(32, 7).toString("base64");
const encryption = {
  apiVersion: "apiserver.config.k8s.io/v1",
  kind: "EncryptionConfiguration",
  resources: [
    {
      resources: ["secrets", "configmaps", "*.apps"],
      providers: [
        {
          aescbc: {
            keys: [
              { name: "k1", secret },
              { name: "k2", secret },
            ],
          },
        },
        { aesgcm: { keys: [{ name: "k1", secret }] } },
        { secretbox: { keys: [{ name: "k1", secret }] } },
        { kms: { apiVersion: "v2", name: "kms", endpoint: "unix:///tmp/absent.sock", timeout: "3s" } },
        { identity: {} },
      ],
    },
    { resources: ["*.*"], providers: [{ identity: {} }] },
  ],
};

const admission = {
  apiVersion: "apiserver.config.k8s.io/v1",
  kind: "AdmissionConfiguration",
  plugins: [
    {
      name: "PodSecurity",
      configuration: {
        apiVersion: "pod-security.admission.config.k8s.io/v1",
        kind: "PodSecurityConfiguration",
        defaults: {
          enforce: "baseline",
          "enforce-version": "v1.28",
          audit: "restricted",
          "audit-version": "latest",
          warn: "privileged",
        },
        exemptions: { usernames: ["a"], runtimeClasses: ["b"], namespaces: ["kube-system"] },
      },
    },
    {
      name: "EventRateLimit",
      configuration: {
        apiVersion: "eventratelimit.admission.k8s.io/v1alpha1",
        kind: "Configuration",
        limits: [
          { type: "Server", qps: 10, burst: 20 },
          { type: "Namespace", qps: 1, burst: 2, cacheSize: 100 },
        ],
      },
    },
    {
      name: "ResourceQuota",
      configuration: {
        apiVersion: "apiserver.config.k8s.io/v1",
        kind: "ResourceQuotaConfiguration",
        limitedResources: [
          {
            apiGroup: "",
            resource: "pods",
            matchContains: ["pods"],
            matchScopes: [{ scopeName: "PriorityClass", operator: "In", values: ["a"] }],
          },
        ],
      },
    },
    {
      name: "PodNodeSelector",
      configuration: { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: "a=b", ns: "c=d" } },
    },
    {
      name: "PodTolerationRestriction",
      configuration: {
        apiVersion: "podtolerationrestriction.admission.k8s.io/v1alpha1",
        kind: "Configuration",
        default: [{ key: "a", operator: "Exists", effect: "NoSchedule" }],
        whitelist: [{ key: "a", operator: "Exists" }],
      },
    },
  ],
};

const egressSelector = {
  apiVersion: "apiserver.k8s.io/v1beta1",
  kind: "EgressSelectorConfiguration",
  egressSelections: [
    {
      name: "cluster",
      connection: { proxyProtocol: "GRPC", transport: { uds: { udsName: "/tmp/konnectivity.sock" } } },
    },
    { name: "controlplane", connection: { proxyProtocol: "Direct" } },
    { name: "etcd", connection: { proxyProtocol: "Direct" } },
  ],
};

const tracing = {
  apiVersion: "apiserver.config.k8s.io/v1beta1",
  kind: "TracingConfiguration",
  endpoint: "localhost:4317",
  samplingRatePerMillion: 100,
};
