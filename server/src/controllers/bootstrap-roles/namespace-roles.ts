import type { RoleDefinition } from "./policy-notation.js";

/** The roles of v1.29 in the namespaces of the system. */
export const namespaceRoleDefinitions: readonly RoleDefinition[] = [
  {
    name: "extension-apiserver-authentication-reader",
    namespace: "kube-system",
    rules: ["get,list,watch core: configmaps [extension-apiserver-authentication]"],
  },
  { name: "system:controller:bootstrap-signer", namespace: "kube-system", rules: ["get,list,watch core: secrets"] },
  {
    name: "system:controller:cloud-provider",
    namespace: "kube-system",
    rules: ["create,get,list,watch core: configmaps"],
  },
  {
    name: "system:controller:token-cleaner",
    namespace: "kube-system",
    rules: ["delete,get,list,watch core: secrets", "create,patch,update core,events.k8s.io: events"],
  },
  {
    name: "system::leader-locking-kube-controller-manager",
    namespace: "kube-system",
    rules: ["watch core: configmaps", "get,update core: configmaps [kube-controller-manager]"],
  },
  {
    name: "system::leader-locking-kube-scheduler",
    namespace: "kube-system",
    rules: ["watch core: configmaps", "get,update core: configmaps [kube-scheduler]"],
  },
  {
    name: "system:controller:bootstrap-signer",
    namespace: "kube-public",
    rules: [
      "get,list,watch core: configmaps",
      "update core: configmaps [cluster-info]",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
];
