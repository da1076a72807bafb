import {
  disruptionBudget,
  kustomizeBase,
  podLabels,
  restrictedContainer,
  rotationJobs,
  rotationRights,
  rotator,
  service,
  serviceAccount,
  servingArguments,
  servingContainer,
  servingSecret,
  servingVolume,
} from "@gatehouse/component-base/kustomize";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Hook } from "../../../toolkit/hooks/hook.js";
import { rbacFor } from "../../../toolkit/registration/rbac.js";

/** Options of `hooksBase()`. */
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
export function hooksBase(options: BaseOptions): ReadonlyMap<string, string> {
  const { hooks, name, namespace, image, hookArguments } = options;
  const rotation = {
    program: options,
    image,
    args: [
      "rotate",
      ...hookArguments,
      `--service=${namespace}/${name}`,
      `--secret=${servingSecret(options)}`,
      `--name=${name}`,
    ],
  };
  return kustomizeBase(
    new Map<string, readonly JsonObject[]>([
      ["namespace.yaml", [{ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }]],
      [
        "rbac.yaml",
        [
          serviceAccount(options),
          serviceAccount(rotator(options)),
          ...rbacFor(hooks, { name, namespace, serviceAccount: name }),
          ...rotationRights(options, registrationRules(name)),
        ],
      ],
      ["deployment.yaml", [deployment(options), disruptionBudget(options)]],
      ["service.yaml", [service(options)]],
      ["rotation.yaml", rotationJobs(rotation)],
    ]),
  );
}

/** Returns the rights to register hooks: to objects by name, except for creation, which cannot be limited so. */
function registrationRules(name: string): JsonObject[] {
  const apiGroups = ["admissionregistration.k8s.io"];
  const resources = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"];
  return [
    { apiGroups, resources, verbs: ["create"] },
    { apiGroups, resources, resourceNames: [name], verbs: ["get", "patch"] },
  ];
}

function deployment(options: BaseOptions): JsonObject {
  const { name, namespace, image, replicas } = options;
  const labels = podLabels(options);
  const tls = servingVolume(options);
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
              args: [...options.hookArguments, ...servingArguments(), ...callers],
              ...servingContainer,
              ...restrictedContainer,
              volumeMounts: [tls.mount, { name: "callers", mountPath: "/etc/gatehouse/callers", readOnly: true }],
            },
          ],
          volumes: [tls.volume, { name: "callers", configMap: { name: "kube-root-ca.crt" } }],
        },
      },
    },
  };
}
