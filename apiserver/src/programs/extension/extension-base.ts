import {
  type Account,
  clusterRights,
  clusterRoleBinding,
  disruptionBudget,
  kustomizeBase,
  namespacedRights,
  podLabels,
  restrictedContainer,
  roleBinding,
  rotationJobs,
  rotationRights,
  rotator,
  service,
  serviceAccount,
  servingArguments,
  servingContainer,
  servingPort,
  servingSecret,
  servingVolume,
} from "@gatehouse/component-base/kustomize";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { backingOf } from "../../extension/front-store/backing.js";
import { recordDefinition } from "../../extension/front-store/record-definition.js";
import type { StorageInFront } from "../../extension/store-in-front.js";
import type { ApiGroup } from "../../resources/api-group.js";

/** Options of `extensionBase()`. */
export interface ExtensionBaseOptions {
  /** The name of the Service, and of all objects that belong to the server. */
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  /** The path in the image of the program `gatehouse-extension`, which renews certificates. */
  readonly rotationProgram: string;
  readonly groups: readonly ApiGroup[];
  readonly replicas: number;
  /** Arguments of the server about its store. */
  readonly storeArguments: readonly string[];
  /**
   * The folder of the embedded store, and its size as a quantity; without a size nothing is stored, and the folder lives as
   * long as its pod. Absent where the server has another store.
   */
  readonly volume?: { readonly folder: string; readonly size: string | undefined };
  /** The place of the store in the API server in front. Absent for other stores. */
  readonly inFront?: StorageInFront;
  /** The numbers of the user and the group of the process. */
  readonly user: number;
}

const reading = ["get", "list", "watch"];
const writing = ["create", "update", "patch", "delete", "deletecollection"];

/**
 * Returns the files of a kustomize base, by name: an extension API server behind a Service, its APIServices, the rights that
 * it needs, and jobs that renew its certificate.
 */
export function extensionBase(options: ExtensionBaseOptions): ReadonlyMap<string, string> {
  const { namespace, inFront } = options;
  return kustomizeBase(
    new Map<string, readonly JsonObject[]>([
      ["namespace.yaml", [restrictedNamespace(namespace)]],
      ...(inFront?.backend === "customresources"
        ? [["definition.yaml", [recordDefinition(inFront.name)]] as const]
        : []),
      [
        "rbac.yaml",
        [
          ...rightsOfServer(options),
          ...rightsInStorage(options),
          ...rightsOfRotation(options),
          ...rightsOfUsers(options),
        ],
      ],
      ["deployment.yaml", [...claims(options), deployment(options), disruptionBudget(options)]],
      ["service.yaml", [service(options)]],
      ["apiservices.yaml", apiServices(options)],
      ["rotation.yaml", rotation(options)],
    ]),
  );
}

function restrictedNamespace(name: string): JsonObject {
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
}

/** Returns what the server may do: ask about users and rights, and follow what admission reads in the API server in front. */
function rightsOfServer({ name, namespace }: ExtensionBaseOptions): JsonObject[] {
  const account: Account = { name, namespace };
  return [
    serviceAccount(account),
    clusterRoleBinding(`${name}:system:auth-delegator`, { role: "system:auth-delegator", account }),
    roleBinding(
      { name: `${name}-authentication-reader`, namespace: "kube-system" },
      { role: "extension-apiserver-authentication-reader", account },
    ),
    ...clusterRights(account, [
      { apiGroups: [""], resources: ["namespaces"], verbs: reading },
      {
        apiGroups: ["admissionregistration.k8s.io"],
        resources: [
          "mutatingwebhookconfigurations",
          "validatingadmissionpolicies",
          "validatingadmissionpolicybindings",
          "validatingwebhookconfigurations",
        ],
        verbs: reading,
      },
    ]),
  ];
}

/**
 * Returns what the server may do with the objects in front that hold its own. Creating and listing cannot be limited to
 * names, and those of the records of keys are digests; only the head of the store is watched.
 */
function rightsInStorage({ name, namespace, inFront }: ExtensionBaseOptions): JsonObject[] {
  if (inFront === undefined) {
    return [];
  }
  const { group, resource } = backingOf(inFront.backend, inFront.name);
  const objects = { apiGroups: [group], resources: [resource] };
  const role = { name: `${name}-storage`, namespace: inFront.namespace };
  return namespacedRights(
    role,
    [
      { ...objects, verbs: ["create", "delete", "get", "list", "update"] },
      { ...objects, resourceNames: [inFront.name], verbs: ["watch"] },
    ],
    { name, namespace },
  );
}

function rightsOfRotation(options: ExtensionBaseOptions): JsonObject[] {
  const resourceNames = versionsOf(options).map(nameOfVersion);
  const apiGroups = ["apiregistration.k8s.io"];
  return [
    serviceAccount(rotator(options)),
    ...rotationRights(options, [{ apiGroups, resources: ["apiservices"], resourceNames, verbs: ["get", "patch"] }]),
  ];
}

/** Returns roles for the kinds of the server, which become parts of the roles view, edit and admin of the API server in front. */
function rightsOfUsers({ name, groups }: ExtensionBaseOptions): JsonObject[] {
  const role = (suffix: string, aggregated: readonly string[], rules: JsonObject[]): JsonObject[] =>
    rules.length === 0
      ? []
      : [
          {
            apiVersion: "rbac.authorization.k8s.io/v1",
            kind: "ClusterRole",
            metadata: {
              name: `${name}:${suffix}`,
              labels: Object.fromEntries(
                aggregated.map((each) => [`rbac.authorization.k8s.io/aggregate-to-${each}`, "true"]),
              ),
            },
            rules,
          },
        ];
  return [
    ...role("view", ["view", "edit", "admin"], rulesFor(groups, reading, true)),
    ...role("edit", ["edit", "admin"], rulesFor(groups, writing, false)),
  ];
}

/** Returns rules for those of the verbs that resources have, one for each set of verbs in a group. */
function rulesFor(groups: readonly ApiGroup[], verbs: readonly string[], withSubresources: boolean): JsonObject[] {
  return groups.flatMap(({ name, resources }) => {
    const byVerbs = new Map<string, Set<string>>();
    const add = (resource: string, own: readonly string[]): void => {
      const key = verbs.filter((verb) => own.includes(verb)).join();
      byVerbs.set(key, (byVerbs.get(key) ?? new Set()).add(resource));
    };
    for (const { resource, verbs: own, subresources } of resources) {
      add(resource, own);
      for (const subresource of withSubresources ? subresources : []) {
        add(`${resource}/${subresource.name}`, subresource.verbs);
      }
    }
    byVerbs.delete("");
    return [...byVerbs].map(([key, names]) => ({
      apiGroups: [name],
      resources: [...names].sort(),
      verbs: key.split(","),
    }));
  });
}

/** Returns the claim of the volume that the embedded store is in. */
function claims({ name, namespace, volume }: ExtensionBaseOptions): JsonObject[] {
  return volume?.size === undefined
    ? []
    : [
        {
          apiVersion: "v1",
          kind: "PersistentVolumeClaim",
          metadata: { name: `${name}-data`, namespace },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: volume.size } } },
        },
      ];
}

function deployment(options: ExtensionBaseOptions): JsonObject {
  const { name, namespace, image, replicas, storeArguments, volume, user } = options;
  const labels = podLabels(options);
  const tls = servingVolume(options);
  const data = volume && {
    mount: { name: "data", mountPath: volume.folder },
    volume: {
      name: "data",
      ...(volume.size === undefined ? { emptyDir: {} } : { persistentVolumeClaim: { claimName: `${name}-data` } }),
    },
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      // Two servers cannot have the same embedded store.
      ...(volume?.size !== undefined && { strategy: { type: "Recreate" } }),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          terminationGracePeriodSeconds: 40,
          ...(volume && { securityContext: { fsGroup: user, fsGroupChangePolicy: "OnRootMismatch" } }),
          containers: [
            {
              name: "apiserver",
              image,
              args: [`--secure-port=${servingPort}`, ...servingArguments(), ...storeArguments],
              ...servingContainer,
              ...restrictedContainer,
              volumeMounts: [tls.mount, ...(data ? [data.mount] : [])],
            },
          ],
          volumes: [tls.volume, ...(data ? [data.volume] : [])],
        },
      },
    },
  };
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
  /** The place of the version in its group, 0 for the best one. */
  readonly place: number;
}

function versionsOf({ groups }: ExtensionBaseOptions): readonly GroupVersion[] {
  return groups.flatMap(({ name, versions }) => versions.map((version, place) => ({ group: name, version, place })));
}

const nameOfVersion = ({ group, version }: GroupVersion): string => `${version}.${group}`;

/** Returns the APIServices. Their authorities are left to the rotation, which knows them. */
function apiServices(options: ExtensionBaseOptions): JsonObject[] {
  const { name, namespace } = options;
  return versionsOf(options).map((one) => ({
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: nameOfVersion(one) },
    spec: {
      group: one.group,
      version: one.version,
      groupPriorityMinimum: 1000,
      versionPriority: Math.max(100 - one.place, 1),
      service: { namespace, name, port: 443 },
    },
  }));
}

function rotation(options: ExtensionBaseOptions): JsonObject[] {
  const { name, namespace, image, rotationProgram } = options;
  return rotationJobs({
    program: options,
    image,
    command: ["node", rotationProgram],
    args: [
      "rotate",
      `--service=${namespace}/${name}`,
      `--secret=${servingSecret(options)}`,
      `--api-services=${versionsOf(options).map(nameOfVersion).join(",")}`,
    ],
  });
}
