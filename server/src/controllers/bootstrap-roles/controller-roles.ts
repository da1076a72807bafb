import { type RoleDefinition, when } from "./policy-notation.js";

/** The cluster roles of v1.29's controllers; each is bound to the service account of its controller. */
export const controllerRoleDefinitions: readonly RoleDefinition[] = [
  {
    name: "system:controller:attachdetach-controller",
    rules: [
      "list,watch core: persistentvolumeclaims persistentvolumes",
      "get,list,watch core: nodes",
      "patch,update core: nodes/status",
      "list,watch core: pods",
      "create,patch,update core,events.k8s.io: events",
      "create,delete,get,list,watch storage.k8s.io: volumeattachments",
      "get,list,watch storage.k8s.io: csidrivers",
      "get,list,watch storage.k8s.io: csinodes",
    ],
  },
  {
    name: "system:controller:clusterrole-aggregation-controller",
    rules: ["escalate,get,list,patch,update,watch rbac.authorization.k8s.io: clusterroles"],
  },
  {
    name: "system:controller:cronjob-controller",
    rules: [
      "get,list,update,watch batch: cronjobs",
      "create,delete,get,list,patch,update,watch batch: jobs",
      "update batch: cronjobs/status",
      "update batch: cronjobs/finalizers",
      "delete,list core: pods",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:daemon-set-controller",
    rules: [
      "get,list,watch apps,extensions: daemonsets",
      "update apps,extensions: daemonsets/status",
      "update apps,extensions: daemonsets/finalizers",
      "list,watch core: nodes",
      "create,delete,list,patch,watch core: pods",
      "create core: pods/binding",
      "create,delete,get,list,patch,update,watch apps: controllerrevisions",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:deployment-controller",
    rules: [
      "get,list,update,watch apps,extensions: deployments",
      "update apps,extensions: deployments/status",
      "update apps,extensions: deployments/finalizers",
      "create,delete,get,list,patch,update,watch apps,extensions: replicasets",
      "get,list,update,watch core: pods",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:disruption-controller",
    rules: [
      "get,list,watch apps,extensions: deployments",
      "get,list,watch apps,extensions: replicasets",
      "get,list,watch core: replicationcontrollers",
      "get,list,watch policy: poddisruptionbudgets",
      "get,list,watch apps: statefulsets",
      "update policy: poddisruptionbudgets/status",
      "get *: */scale",
      "create,patch,update core,events.k8s.io: events",
      when("PodDisruptionConditions", "patch,update core: pods/status"),
    ],
  },
  {
    name: "system:controller:endpoint-controller",
    rules: [
      "get,list,watch core: pods services",
      "create,delete,get,list,update core: endpoints",
      "create core: endpoints/restricted",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:endpointslice-controller",
    rules: [
      "get,list,watch core: nodes pods services",
      "update core: services/finalizers",
      "create,delete,get,list,update discovery.k8s.io: endpointslices",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:endpointslicemirroring-controller",
    rules: [
      "get,list,watch core: endpoints services",
      "update core: services/finalizers",
      "update core: endpoints/finalizers",
      "create,delete,get,list,update discovery.k8s.io: endpointslices",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:expand-controller",
    rules: [
      "get,list,patch,update,watch core: persistentvolumes",
      "patch,update core: persistentvolumeclaims/status",
      "get,list,watch core: persistentvolumeclaims",
      "get,list,watch storage.k8s.io: storageclasses",
      "get core: endpoints services",
      "get core: secrets",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:ephemeral-volume-controller",
    rules: [
      "get,list,watch core: pods",
      "update core: pods/finalizers",
      "create,get,list,watch core: persistentvolumeclaims",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:generic-garbage-collector",
    rules: ["delete,get,list,patch,update,watch *: *", "create,patch,update core,events.k8s.io: events"],
  },
  {
    name: "system:controller:horizontal-pod-autoscaler",
    rules: [
      "get,list,watch autoscaling: horizontalpodautoscalers",
      "update autoscaling: horizontalpodautoscalers/status",
      "get,update *: */scale",
      "list core: pods",
      "list metrics.k8s.io: pods",
      "get,list custom.metrics.k8s.io: *",
      "get,list external.metrics.k8s.io: *",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:job-controller",
    rules: [
      "get,list,patch,update,watch batch: jobs",
      "update batch: jobs/status",
      "update batch: jobs/finalizers",
      "create,delete,list,patch,watch core: pods",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:namespace-controller",
    rules: [
      "delete,get,list,watch core: namespaces",
      "update core: namespaces/finalize namespaces/status",
      "delete,deletecollection,get,list *: *",
    ],
  },
  {
    name: "system:controller:node-controller",
    rules: [
      "delete,get,list,patch,update core: nodes",
      "patch,update core: nodes/status",
      "patch,update core: pods/status",
      "delete,list core: pods",
      "create,get,list,update networking.k8s.io: clustercidrs",
      "create,patch,update core,events.k8s.io: events",
      when("PodDisruptionConditions", "get core: pods"),
    ],
  },
  {
    name: "system:controller:persistent-volume-binder",
    rules: [
      "create,delete,get,list,update,watch core: persistentvolumes",
      "update core: persistentvolumes/status",
      "get,list,update,watch core: persistentvolumeclaims",
      "update core: persistentvolumeclaims/status",
      "create,delete,get,list,watch core: pods",
      "get,list,watch storage.k8s.io: storageclasses",
      "create,delete,get,update core: endpoints",
      "create,delete,get core: services",
      "get core: secrets",
      "get,list core: nodes",
      "watch core: events",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:pod-garbage-collector",
    rules: [
      "delete,list,watch core: pods",
      "get,list core: nodes",
      when("PodDisruptionConditions", "patch core: pods/status"),
    ],
  },
  {
    name: "system:controller:replicaset-controller",
    rules: [
      "get,list,update,watch apps,extensions: replicasets",
      "update apps,extensions: replicasets/status",
      "update apps,extensions: replicasets/finalizers",
      "create,delete,list,patch,watch core: pods",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:replication-controller",
    rules: [
      "get,list,update,watch core: replicationcontrollers",
      "update core: replicationcontrollers/status",
      "update core: replicationcontrollers/finalizers",
      "create,delete,list,patch,watch core: pods",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:resourcequota-controller",
    rules: ["list,watch *: *", "update core: resourcequotas/status", "create,patch,update core,events.k8s.io: events"],
  },
  {
    name: "system:controller:route-controller",
    rules: ["list,watch core: nodes", "patch core: nodes/status", "create,patch,update core,events.k8s.io: events"],
  },
  {
    name: "system:controller:service-account-controller",
    rules: ["create core: serviceaccounts", "create,patch,update core,events.k8s.io: events"],
  },
  {
    name: "system:controller:service-controller",
    rules: [
      "get,list,watch core: services",
      "patch,update core: services/status",
      "list,watch core: nodes",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:statefulset-controller",
    rules: [
      "list,watch core: pods",
      "get,list,watch apps: statefulsets",
      "update apps: statefulsets/status",
      "update apps: statefulsets/finalizers",
      "create,delete,get,patch,update core: pods",
      "create,delete,get,list,patch,update,watch apps: controllerrevisions",
      "create,get core: persistentvolumeclaims",
      "create,patch,update core,events.k8s.io: events",
      when("StatefulSetAutoDeletePVC", "delete,update core: persistentvolumeclaims"),
    ],
  },
  {
    name: "system:controller:ttl-controller",
    rules: ["list,patch,update,watch core: nodes", "create,patch,update core,events.k8s.io: events"],
  },
  {
    name: "system:controller:certificate-controller",
    rules: [
      "delete,get,list,watch certificates.k8s.io: certificatesigningrequests",
      "update certificates.k8s.io: certificatesigningrequests/approval certificatesigningrequests/status",
      "approve certificates.k8s.io: signers [kubernetes.io/kube-apiserver-client-kubelet]",
      "sign certificates.k8s.io: signers [kubernetes.io/kube-apiserver-client kubernetes.io/kube-apiserver-client-kubelet kubernetes.io/kubelet-serving kubernetes.io/legacy-unknown]",
      "create authorization.k8s.io: subjectaccessreviews",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:pvc-protection-controller",
    rules: [
      "get,list,update,watch core: persistentvolumeclaims",
      "get,list,watch core: pods",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:pv-protection-controller",
    rules: ["get,list,update,watch core: persistentvolumes", "create,patch,update core,events.k8s.io: events"],
  },
  {
    name: "system:controller:ttl-after-finished-controller",
    rules: ["delete,get,list,watch batch: jobs", "create,patch,update core,events.k8s.io: events"],
  },
  {
    name: "system:controller:root-ca-cert-publisher",
    rules: ["create,update core: configmaps", "create,patch,update core,events.k8s.io: events"],
  },
  {
    name: "system:controller:legacy-service-account-token-cleaner",
    gates: "LegacyServiceAccountTokenCleanUp",
    rules: [
      "get core: configmaps [kube-apiserver-legacy-service-account-token-tracking]",
      "delete,patch core: secrets",
    ],
  },
  {
    name: "system:controller:resource-claim-controller",
    gates: "DynamicResourceAllocation",
    rules: [
      "get,list,watch core: pods",
      "update core: pods/finalizers",
      "create,delete,get,list,watch resource.k8s.io: resourceclaims",
      "create,get,list,patch,update,watch resource.k8s.io: podschedulingcontexts",
      "patch,update resource.k8s.io: resourceclaims/status",
      "patch,update core: pods/status",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:service-cidrs-controller",
    gates: "MultiCIDRServiceAllocator",
    rules: [
      "get,list,patch,update,watch networking.k8s.io: servicecidrs",
      "patch,update networking.k8s.io: servicecidrs/finalizers",
      "patch,update networking.k8s.io: servicecidrs/status",
      "get,list,watch networking.k8s.io: ipaddresses",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:validatingadmissionpolicy-status-controller",
    gates: "ValidatingAdmissionPolicy",
    rules: [
      "get,list,watch admissionregistration.k8s.io: validatingadmissionpolicies",
      "get,patch,update admissionregistration.k8s.io: validatingadmissionpolicies/status",
      "create,patch,update core,events.k8s.io: events",
    ],
  },
  {
    name: "system:controller:storage-version-garbage-collector",
    gates: "StorageVersionAPI APIServerIdentity",
    rules: [
      "get,list,watch coordination.k8s.io: leases",
      "delete,get,list,patch,update,watch internal.apiserver.k8s.io: storageversions",
      "get,patch,update internal.apiserver.k8s.io: storageversions/status",
    ],
  },
];
