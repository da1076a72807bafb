import { type Problem, problemAt } from "@gatehouse/component-base/problems";

/** Every admission plugin of v1.29 in the order in which a write meets them, and whether it is on by default. */
const knownPlugins = [
  { name: "AlwaysAdmit", isOn: false },
  { name: "NamespaceAutoProvision", isOn: false },
  { name: "NamespaceLifecycle", isOn: true },
  { name: "NamespaceExists", isOn: false },
  { name: "SecurityContextDeny", isOn: false },
  { name: "LimitPodHardAntiAffinityTopology", isOn: false },
  { name: "LimitRanger", isOn: true },
  { name: "ServiceAccount", isOn: true },
  { name: "NodeRestriction", isOn: false },
  { name: "TaintNodesByCondition", isOn: true },
  { name: "AlwaysPullImages", isOn: false },
  { name: "ImagePolicyWebhook", isOn: false },
  { name: "PodSecurity", isOn: true },
  { name: "PodNodeSelector", isOn: false },
  { name: "Priority", isOn: true },
  { name: "DefaultTolerationSeconds", isOn: true },
  { name: "PodTolerationRestriction", isOn: false },
  { name: "EventRateLimit", isOn: false },
  { name: "ExtendedResourceToleration", isOn: false },
  { name: "PersistentVolumeLabel", isOn: false },
  { name: "DefaultStorageClass", isOn: true },
  { name: "StorageObjectInUseProtection", isOn: true },
  { name: "OwnerReferencesPermissionEnforcement", isOn: false },
  { name: "PersistentVolumeClaimResize", isOn: true },
  { name: "RuntimeClass", isOn: true },
  { name: "CertificateApproval", isOn: true },
  { name: "CertificateSigning", isOn: true },
  { name: "ClusterTrustBundleAttest", isOn: true },
  { name: "CertificateSubjectRestriction", isOn: true },
  { name: "DefaultIngressClass", isOn: true },
  { name: "DenyServiceExternalIPs", isOn: false },
  { name: "MutatingAdmissionWebhook", isOn: true },
  { name: "ValidatingAdmissionPolicy", isOn: true },
  { name: "ValidatingAdmissionWebhook", isOn: true },
  { name: "ResourceQuota", isOn: true },
  { name: "AlwaysDeny", isOn: false },
] as const;

export type AdmissionPluginName = (typeof knownPlugins)[number]["name"];

/** Plugins that are on by default, in the order of `knownPlugins`. */
export const defaultAdmissionPlugins: readonly AdmissionPluginName[] = knownPlugins
  .filter(({ isOn }) => isOn)
  .map(({ name }) => name);

/** Names in `--enable-admission-plugins` and `--disable-admission-plugins`. */
export interface PluginFlags {
  readonly enable: readonly string[];
  readonly disable: readonly string[];
}

export function isAdmissionPlugin(name: string): name is AdmissionPluginName {
  return knownPlugins.some((plugin) => plugin.name === name);
}

/**
 * Selects the plugins that a server runs, in the order of v1.29 regardless of the order of the flags, and lists the
 * problems of the flags.
 */
export function selectAdmissionPlugins({ enable, disable }: PluginFlags): {
  readonly names: readonly AdmissionPluginName[];
  readonly problems: readonly Problem[];
} {
  const unknown = (flag: string, names: readonly string[]): readonly Problem[] =>
    names
      .filter((name) => !isAdmissionPlugin(name))
      .map((name) => problemAt(flag, `${JSON.stringify(name)} is not an admission plugin`));
  const both = enable.filter((name) => disable.includes(name));
  return {
    names: knownPlugins
      .filter(({ name, isOn }) => enable.includes(name) || (isOn && !disable.includes(name)))
      .map(({ name }) => name),
    problems: [
      ...unknown("--enable-admission-plugins", enable),
      ...unknown("--disable-admission-plugins", disable),
      ...both.map((name) => problemAt("--enable-admission-plugins", `${name} is also in --disable-admission-plugins`)),
    ],
  };
}
