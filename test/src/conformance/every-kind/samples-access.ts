import type { Sample } from "./sample.js";

const certificateRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIZ01JR0dBZ0VBTUNReERUQUxCZ05WQkFNTUJHcGhibVV4RXpBUkJnTlZCQW9NQ21SbGRtVnNiM0JsY25NdwpXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQ0FBVDEzOUJoRDA0Z2JQWDduVkRVdHZhdVJwWkdMWEJ0CkJ6ZjUySEsrd3liQWNqV0FBRFRtTENmK09hWEhmTWhNVHFORjgzcDdyK3ViY09EMlc3a2wyNnpob0FBd0NnWUkKS29aSXpqMEVBd0lEU1FBd1JnSWhBT05zeFlyRXRJSkZRcmV5alVUU3d4S2Uza1hhK0dEZDV2MFNUOE8xMnQyUApBaUVBd29nZm9iVkdLbG8zcGE1bnZVR0hoWUlsRytmU0V2VmtSVjB6SW5yT2xGbz0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

const authority = `-----BEGIN CERTIFICATE-----
MIIBgDCCASegAwIBAgIUI+dWW9FfmPhfg0gDnKldlB1x1WowCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKZXhhbXBsZS1jYTAgFw0yNjExMjAxMzIzMzBaGA8yMTI2MTAy
NzEzMjMzMFowFTETMBEGA1UEAwwKZXhhbXBsZS1jYTBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABPXf0GEPTiBs9fudUNS29q5GlkYtcG0HN/nYcr7DJsByNYAANOYs
J/45pcd8yExOo0Xzenuv65tw4PZbuSXbrOGjUzBRMB0GA1UdDgQWBBQGxeUeJ4lz
pdQvmPoTMI7UobYV7DAfBgNVHSMEGDAWgBQGxeUeJ4lzpdQvmPoTMI7UobYV7DAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIDUqak5/71vKVY1jat6p
8cBUi1sfGa9bSm1XMPPw3l5uAiBk01v31sYfpuMOWb2D/4N0Ib9U0CErLC/sHOqs
g2cf8w==
-----END CERTIFICATE-----
`;

const authorityBase64 = Buffer.from(authority).toString("base64");

/** Defaults that v1.29 adds to a webhook that is a Service and has one rule. */
const webhookDefaults = {
  clientConfig: { service: { port: 443 } },
  failurePolicy: "Fail",
  matchPolicy: "Equivalent",
  namespaceSelector: {},
  objectSelector: {},
  rules: [{ scope: "*" }],
  timeoutSeconds: 10,
};

const policyDefaults = {
  spec: {
    failurePolicy: "Fail",
    matchConstraints: {
      matchPolicy: "Equivalent",
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{ scope: "*" }],
    },
  },
  status: {},
};

const policyStatus = {
  observedGeneration: 1,
  typeChecking: { expressionWarnings: [{ fieldRef: "spec.validations[0].expression", warning: "undefined field" }] },
};

/** Access, certificates, admission, and the API itself. */
export const accessSamples: readonly Sample[] = [
  ...rbacSamples(),
  {
    yaml: `
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata:
  name: jane-$n
spec:
  request: ${certificateRequest}
  signerName: kubernetes.io/kube-apiserver-client
  usages: [client auth, digital signature]
  expirationSeconds: 3600
`,
    defaults: {
      spec: { username: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] },
      status: {},
    },
    change: { metadata: { annotations: { reviewer: "somebody" } } },
    status: { certificate: authorityBase64 },
  },
  {
    yaml: `
apiVersion: certificates.k8s.io/v1alpha1
kind: ClusterTrustBundle
metadata:
  name: example.com:roots:v$n
spec:
  signerName: example.com/roots
  trustBundle: ${JSON.stringify(authority)}
`,
    change: { metadata: { annotations: { reviewer: "somebody" } } },
    needsResourceVersion: true,
  },
  {
    yaml: `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: sidecars-$n
webhooks:
- name: sidecars.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig:
    caBundle: ${authorityBase64}
    service:
      namespace: hooks
      name: sidecars
  rules:
  - apiGroups: ["nowhere.example.com"]
    apiVersions: [v1]
    operations: [CREATE]
    resources: [things]
`,
    defaults: { webhooks: [{ ...webhookDefaults, reinvocationPolicy: "Never" }] },
    change: { webhooks: [{ timeoutSeconds: 5 }] },
    generation: "counted",
    needsResourceVersion: true,
  },
  {
    yaml: `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: images-$n
webhooks:
- name: images.example.com
  admissionReviewVersions: [v1, v1beta1]
  sideEffects: NoneOnDryRun
  clientConfig:
    service:
      namespace: hooks
      name: images
      path: /validate
  rules:
  - apiGroups: ["nowhere.example.com"]
    apiVersions: ["*"]
    operations: [CREATE, UPDATE]
    resources: [things]
`,
    defaults: { webhooks: [webhookDefaults] },
    change: { webhooks: [{ failurePolicy: "Ignore" }] },
    generation: "counted",
    needsResourceVersion: true,
  },
  ...["v1beta1", "v1alpha1"].flatMap(policySamples),
  {
    yaml: `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crontab$ns.stable.example.com
spec:
  group: stable.example.com
  scope: Namespaced
  names:
    plural: crontab$ns
    kind: CronTab$n
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              cron:
                type: string
                default: "* * * * *"
              replicas:
                type: integer
                minimum: 0
            additionalProperties: true
`,
    defaults: {
      spec: {
        names: { singular: "crontab$n", listKind: "CronTab$nList" },
        conversion: { strategy: "None" },
      },
      status: { storedVersions: ["v1"], conditions: null, acceptedNames: { plural: "", kind: "" } },
    },
    change: { spec: { names: { categories: ["all"] } } },
    generation: "counted",
    lingers: true,
    needsResourceVersion: true,
    status: {
      conditions: [
        {
          type: "NamesAccepted",
          status: "True",
          lastTransitionTime: "2024-01-02T03:04:05Z",
          reason: "NoConflicts",
          message: "no conflicts found",
        },
      ],
      acceptedNames: { plural: "crontab1s", kind: "CronTab1" },
      storedVersions: ["v1"],
    },
  },
  {
    yaml: `
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata:
  name: v$n.metrics.example.com
spec:
  group: metrics.example.com
  version: v$n
  groupPriorityMinimum: 100
  versionPriority: 100
  insecureSkipTLSVerify: true
  service:
    namespace: kube-system
    name: metrics
`,
    defaults: { spec: { service: { port: 443 } }, status: {} },
    change: { spec: { versionPriority: 50 } },
    needsResourceVersion: true,
    status: {
      conditions: [
        {
          type: "Available",
          status: "True",
          lastTransitionTime: "2024-01-02T03:04:05Z",
          reason: "Passed",
          message: "all checks passed",
        },
      ],
    },
    statusWrites: "no metadata",
  },
  {
    yaml: `
apiVersion: internal.apiserver.k8s.io/v1alpha1
kind: StorageVersion
metadata:
  name: group$n.things
spec: {}
`,
    defaults: { status: {} },
    change: { metadata: { annotations: { seen: "yes" } } },
    needsResourceVersion: true,
    status: {
      storageVersions: [{ apiServerID: "server-1", encodingVersion: "v1", decodableVersions: ["v1"] }],
      commonEncodingVersion: "v1",
    },
    statusWrites: "no metadata",
  },
];

function rbacSamples(): readonly Sample[] {
  const rules = `rules:
- apiGroups: [""]
  resources: [pods, pods/log]
  verbs: [get, list, watch]
`;
  const subjects = `subjects:
- kind: User
  name: jane
- kind: Group
  name: developers
- kind: ServiceAccount
  namespace: default
  name: robot
`;
  const bindingDefaults = {
    roleRef: { apiGroup: "rbac.authorization.k8s.io" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io" }, { apiGroup: "rbac.authorization.k8s.io" }],
  };
  const head = (kind: string): string =>
    `\napiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata:\n  name: reader:$n\n`;
  return [
    { yaml: `${head("Role")}${rules}`, change: { rules: [{ verbs: ["patch"] }] }, createdByUpdate: true },
    {
      yaml: `${head("ClusterRole")}${rules}- nonResourceURLs: [/healthz]\n  verbs: [get]\n`,
      change: { rules: [{ verbs: ["patch"] }] },
      createdByUpdate: true,
    },
    {
      yaml: `${head("RoleBinding")}${subjects}roleRef:\n  kind: Role\n  name: reader\n`,
      defaults: bindingDefaults,
      change: { subjects: [{ name: "joe" }] },
      createdByUpdate: true,
    },
    {
      yaml: `${head("ClusterRoleBinding")}${subjects}roleRef:\n  kind: ClusterRole\n  name: reader\n`,
      defaults: bindingDefaults,
      change: { subjects: [{ name: "joe" }] },
      createdByUpdate: true,
    },
  ];
}

function policySamples(version: string): readonly Sample[] {
  return [
    {
      yaml: `
apiVersion: admissionregistration.k8s.io/${version}
kind: ValidatingAdmissionPolicy
metadata:
  name: replicas-$n.example.com
spec:
  paramKind:
    apiVersion: rules.example.com/v1
    kind: ReplicaLimit
  matchConstraints:
    resourceRules:
    - apiGroups: [nowhere.example.com]
      apiVersions: [v1]
      operations: [CREATE, UPDATE]
      resources: [things]
  variables:
  - name: replicas
    expression: object.spec.replicas
  validations:
  - expression: variables.replicas <= params.maxReplicas
    messageExpression: "'at most ' + string(params.maxReplicas)"
`,
      defaults: policyDefaults,
      change: { spec: { failurePolicy: "Ignore" } },
      generation: "counted",
      needsResourceVersion: true,
      status: policyStatus,
      statusWrites: "no metadata",
    },
    {
      yaml: `
apiVersion: admissionregistration.k8s.io/${version}
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: replicas-$n.example.com
spec:
  policyName: replicas.example.com
  paramRef:
    name: limit
    parameterNotFoundAction: Deny
  matchResources:
    namespaceSelector:
      matchLabels:
        environment: test
  validationActions: [Deny, Audit]
`,
      defaults: { spec: { matchResources: { matchPolicy: "Equivalent", objectSelector: {} } } },
      change: { spec: { validationActions: ["Warn"] } },
      generation: "counted",
      needsResourceVersion: true,
    },
  ];
}
