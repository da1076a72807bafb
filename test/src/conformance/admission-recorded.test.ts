import { differentialFile, type RecordedSequence, replayRecordedArea } from "./replay-recorded-area.js";

const withoutPodPlugins =
  "ServiceAccount,PodSecurity,LimitRanger,Priority,DefaultTolerationSeconds,RuntimeClass,TaintNodesByCondition";
const anyVersion = "--runtime-config=api/all=true";
const anybody = "--authorization-mode=AlwaysAllow";

/** Controllers wrote nothing when these answers were recorded. */
const restFlags = [
  "--service-cluster-ip-range=10.0.0.0/24",
  anyVersion,
  anybody,
  `--disable-admission-plugins=${withoutPodPlugins}`,
  "--controllers=system-namespaces-controller",
];

/** Owners are made up, which nobody collects. */
const podFlags = [
  anyVersion,
  "--allow-privileged=true",
  "--controllers=*,-bootstrap-roles,-garbage-collector-controller",
];

/** The areas, and the flags as they were when the answers were recorded. */
const areas: Readonly<Record<string, readonly string[]>> = {
  "admission-rest": restFlags,
  "admission-off": [
    ...restFlags,
    "--enable-admission-plugins=NamespaceAutoProvision,NamespaceExists,DenyServiceExternalIPs,OwnerReferencesPermissionEnforcement,EventRateLimit",
    `--admission-control-config-file=${differentialFile("lib/admission-configuration.json")}`,
  ],
  "admission-defaults": [
    anyVersion,
    "--authorization-mode=RBAC",
    "--feature-gates=ClusterTrustBundle=true",
    `--token-auth-file=${differentialFile("lib/admission-defaults/tokens.csv")}`,
    "--controllers=system-namespaces-controller",
  ],
  "admission-pods": podFlags,
  "admission-pods-off": [
    ...podFlags,
    anybody,
    "--enable-admission-plugins=AlwaysAdmit,SecurityContextDeny,LimitPodHardAntiAffinityTopology,NodeRestriction,AlwaysPullImages,PodNodeSelector,PodTolerationRestriction,ExtendedResourceToleration,PersistentVolumeLabel",
    "--feature-gates=SecurityContextDeny=true",
    `--admission-control-config-file=${differentialFile("lib/admission-pods-off/admission.yaml")}`,
    `--token-auth-file=${differentialFile("lib/admission-pods-off/tokens.csv")}`,
  ],
};

/** Reports whether a sequence is independent of time: the number of accepted Events depends on their rate. */
const isTimeless = ({ name }: RecordedSequence): boolean => !name.startsWith("events in");

for (const [name, flags] of Object.entries(areas)) {
  await replayRecordedArea({
    title: `Admission plugins change, refuse and warn as those of v1.29 have done: ${name}`,
    area: name,
    flags,
    includes: isTimeless,
  });
}
