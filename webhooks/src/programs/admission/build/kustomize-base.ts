import { encodeYaml } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Hook } from "../../../toolkit/hooks/hook.js";
import { rbacFor } from "../../../toolkit/registration/rbac.js";

/** Options of `kustomizeBase()`. */
export interface BaseOptions {
  readonly hooks: readonly Hook[];
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  /** Arguments that name the hooks, as paths in the container. */
  readonly hookArguments: readonly string[];
  readonly replicas: number;
  /** True to accept any caller. Otherwise callers need a client certificate that the cluster's authority has signed. */
  readonly allowAnyCaller: boolean;
}

/**
 * Returns the files of a kustomize base, by name: the hooks behind a Service, the least role for their lookups, and a
 * job that registers them and renews their certificates each day. The hooks do not apply to the namespace in which they
 * run.
 */
export function kustomizeBase(options: BaseOptions): ReadonlyMap<string, string> {
  const objects = new Map<string, readonly JsonObject[]>([
    ["namespace.yaml", [{ apiVersion: "v1", kind: "Namespace", metadata: { name: options.namespace } }]],
    ["rbac.yaml", [...accounts(options), ...rbacForHooks(options), ...rbacForRotation(options)]],
    ["deployment.yaml", [deployment(options), disruptionBudget(options)]],
    ["service.yaml", [service(options)]],
    ["rotation.yaml", rotation(options)],
  ]);
  const kustomization = {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    namespace: options.namespace,
    resources: [...objects.keys()],
  };
  return new Map([
    ...[...objects].map(([file, list]) => [file, list.map((object) => encodeYaml(object)).join("---\n")] as const),
    ["kustomization.yaml", encodeYaml(kustomization)],
  ]);
}

const rotator = (name: string): string => `${name}-rotation`;

function accounts({ name, namespace }: BaseOptions): JsonObject[] {
  return [name, rotator(name)].map((account) => ({
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: account, namespace },
  }));
}

function rbacForHooks({ hooks, name, namespace }: BaseOptions): JsonObject[] {
  return rbacFor(hooks, { name, namespace, serviceAccount: name });
}

/**
 * Returns the role of the job that renews certificates. It is limited to objects by name, except for creation, which
 * cannot be.
 */
function rbacForRotation({ name, namespace }: BaseOptions): JsonObject[] {
  const api = "rbac.authorization.k8s.io";
  const account = rotator(name);
  const configurations = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"];
  const group = "admissionregistration.k8s.io";
  const subjects = [{ kind: "ServiceAccount", name: account, namespace }];
  const metadata = { name: account, namespace };
  return [
    {
      apiVersion: `${api}/v1`,
      kind: "ClusterRole",
      metadata: { name: account },
      rules: [
        { apiGroups: [group], resources: configurations, verbs: ["create"] },
        { apiGroups: [group], resources: configurations, resourceNames: [name], verbs: ["get", "patch"] },
      ],
    },
    {
      apiVersion: `${api}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: account },
      roleRef: { apiGroup: api, kind: "ClusterRole", name: account },
      subjects,
    },
    {
      apiVersion: `${api}/v1`,
      kind: "Role",
      metadata,
      rules: [
        { apiGroups: [""], resources: ["secrets"], verbs: ["create"] },
        { apiGroups: [""], resources: ["secrets"], resourceNames: [`${name}-tls`], verbs: ["get", "patch"] },
      ],
    },
    {
      apiVersion: `${api}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: api, kind: "Role", name: account },
      subjects,
    },
  ];
}

const security = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

const resources = { requests: { cpu: "50m", memory: "96Mi" }, limits: { memory: "768Mi" } };

function deployment(options: BaseOptions): JsonObject {
  const { name, namespace, image, replicas } = options;
  const labels = { "app.kubernetes.io/name": name };
  const probe = (path: string): JsonObject => ({ httpGet: { path, port: "https", scheme: "HTTPS" }, periodSeconds: 5 });
  const callers = options.allowAnyCaller ? ["--allow-any-caller"] : ["--client-ca-file=/etc/gatehouse/callers/ca.crt"];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          terminationGracePeriodSeconds: 40,
          containers: [
            {
              name: "hooks",
              image,
              args: [
                ...options.hookArguments,
                "--tls-cert-file=/etc/gatehouse/tls/tls.crt",
                "--tls-private-key-file=/etc/gatehouse/tls/tls.key",
                ...callers,
              ],
              ports: [{ name: "https", containerPort: 8443 }],
              readinessProbe: probe("/readyz"),
              livenessProbe: probe("/livez"),
              resources,
              securityContext: security,
              volumeMounts: [
                { name: "tls", mountPath: "/etc/gatehouse/tls", readOnly: true },
                { name: "callers", mountPath: "/etc/gatehouse/callers", readOnly: true },
              ],
            },
          ],
          volumes: [
            { name: "tls", secret: { secretName: `${name}-tls` } },
            { name: "callers", configMap: { name: "kube-root-ca.crt" } },
          ],
        },
      },
    },
  };
}

function disruptionBudget({ name, namespace }: BaseOptions): JsonObject {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace },
    spec: { maxUnavailable: 1, selector: { matchLabels: { "app.kubernetes.io/name": name } } },
  };
}

function service({ name, namespace }: BaseOptions): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace },
    spec: {
      selector: { "app.kubernetes.io/name": name },
      ports: [{ name: "https", port: 443, targetPort: "https" }],
    },
  };
}

/** Returns the jobs that renew the certificates, one at the beginning and one each day; valid certificates are kept. */
function rotation(options: BaseOptions): JsonObject[] {
  const { name, namespace, image } = options;
  const account = rotator(name);
  const podSpec = {
    serviceAccountName: account,
    restartPolicy: "OnFailure",
    containers: [
      {
        name: "rotate",
        image,
        args: [
          "rotate",
          ...options.hookArguments,
          `--service=${namespace}/${name}`,
          `--secret=${name}-tls`,
          `--name=${name}`,
        ],
        resources,
        securityContext: security,
      },
    ],
  };
  return [
    {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: account, namespace },
      spec: { template: { spec: podSpec } },
    },
    {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: account, namespace },
      spec: {
        schedule: "17 3 * * *",
        concurrencyPolicy: "Forbid",
        jobTemplate: { spec: { template: { spec: podSpec } } },
      },
    },
  ];
}
