import { goQuote } from "@gatehouse/envelopes/go";
import { integerAt, isSet, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateDns1123Label } from "@gatehouse/envelopes/validation";
import { fractionalBytes } from "../../fractional-bytes.js";
import { deprecatedPodVolumes, deprecatedVolumeWarnings } from "../deprecated-volumes.js";
import { deprecatedExpressions, deprecatedKeys, deprecatedLabel } from "../node/deprecated-labels.js";
import { claimSpecWarnings } from "../persistent-volume-claim/warnings.js";
import { containerWarnings } from "./container-warnings.js";
import { portWarnings } from "./port-warnings.js";

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
  "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
  "security.alpha.kubernetes.io/unsafe-sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
};
const seccompAnnotation = "seccomp.security.alpha.kubernetes.io/pod";

/** Returns the warnings about a new pod. Updates get none: most come from kubelets, where nobody reads them. */
export function podWarnings(pod: JsonObject, old: JsonObject | undefined): readonly string[] {
  if (old !== undefined) {
    return [];
  }
  const problems = validateDns1123Label(textAt(pod, "metadata", "name"));
  const where =
    "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  return [
    ...(problems.length > 0 ? [`metadata.name: ${where}: [${problems.join(" ")}]`] : []),
    ...podTemplateWarnings(pod, ""),
  ];
}

/** Returns the warnings about a pod or template, whose path is empty or ends with a dot: `spec.template.`. */
export function podTemplateWarnings(template: JsonValue | undefined, path: string): readonly string[] {
  const spec = objectAt(template, "spec");
  const annotations = objectAt(template, "metadata", "annotations");
  const at = `${path}spec`;
  return [
    ...placementWarnings(spec, at),
    ...annotationWarnings(annotations, `${path}metadata.annotations`),
    ...volumeWarnings(spec, at),
    ...hostAliasWarnings(spec, at),
    ...pullSecretWarnings(spec, at),
    ...fractionalBytes(spec["overhead"], `${at}.overhead`, "memory", "ephemeral-storage"),
    ...seccompWarnings(spec, annotations, `${path}metadata.annotations`),
    ...containerWarnings(spec, annotations, path),
    ...portWarnings(spec, at),
    ...graceWarnings(spec, at),
    ...affinityWarnings(spec, at),
  ];
}

function placementWarnings(spec: JsonObject, at: string): readonly string[] {
  const affinity = objectAt(spec, "affinity", "nodeAffinity");
  const required = `${at}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  const preferred = `${at}.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution`;
  return [
    ...deprecatedKeys(objectAt(spec, "nodeSelector"), (label) => `${at}.nodeSelector[${label}]`),
    ...listAt(affinity, "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms").flatMap((term, index) =>
      deprecatedExpressions(term, `${required}[${index}]`),
    ),
    ...listAt(affinity, "preferredDuringSchedulingIgnoredDuringExecution").flatMap((term, index) =>
      deprecatedExpressions(objectAt(term, "preference"), `${preferred}[${index}].preference`),
    ),
    ...listAt(spec, "topologySpreadConstraints").flatMap((constraint, index) =>
      spreadWarnings(constraint, `${at}.topologySpreadConstraints[${index}]`),
    ),
  ];
}

function spreadWarnings(constraint: JsonValue, at: string): readonly string[] {
  const key = textAt(constraint, "topologyKey");
  const deprecation = deprecatedLabel(key);
  return [
    ...(deprecation === undefined ? [] : [`${at}.topologyKey: ${key} is ${deprecation}`]),
    ...nullSelectorWarnings(constraint, at),
  ];
}

/** Returns the warning for an absent selector, which matches no pod rather than all. */
function nullSelectorWarnings(holder: JsonValue | undefined, at: string): readonly string[] {
  return isSet(holder, "labelSelector") ? [] : [`${at}.labelSelector: a null labelSelector results in matching no pod`];
}

function annotationWarnings(annotations: JsonObject, at: string): readonly string[] {
  return Object.entries(deprecatedAnnotations).flatMap(([name, message]) =>
    Object.hasOwn(annotations, name) ? [`${at}[${name}]: ${message}`] : [],
  );
}

function volumeWarnings(spec: JsonObject, at: string): readonly string[] {
  return listAt(spec, "volumes").flatMap((volume, index) => {
    const path = `${at}.volumes[${index}]`;
    const template = objectAt(volume, "ephemeral", "volumeClaimTemplate", "spec");
    return [
      ...deprecatedVolumeWarnings(volume, path, deprecatedPodVolumes),
      ...claimSpecWarnings(template, `${path}.ephemeral.volumeClaimTemplate.spec`),
    ];
  });
}

function hostAliasWarnings(spec: JsonObject, at: string): readonly string[] {
  return repeated(listAt(spec, "hostAliases"), "ip").map(
    ([index, ip]) => `${at}.hostAliases[${index}].ip: duplicate ip ${goQuote(ip)}`,
  );
}

function pullSecretWarnings(spec: JsonObject, at: string): readonly string[] {
  const secrets = listAt(spec, "imagePullSecrets");
  return [
    ...repeated(secrets, "name").map(
      ([index, name]) => `${at}.imagePullSecrets[${index}].name: duplicate name ${goQuote(name)}`,
    ),
    ...secrets.flatMap((secret, index) =>
      textAt(secret, "name") === "" ? [`${at}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
  ];
}

/** Returns the items whose member repeats the value of an earlier item. */
function repeated(items: readonly JsonValue[], member: string): readonly (readonly [index: number, value: string])[] {
  const seen = new Set<string>();
  return items.flatMap((item, index): (readonly [number, string])[] => {
    const value = textAt(item, member);
    if (seen.has(value)) {
      return [[index, value]];
    }
    seen.add(value);
    return [];
  });
}

function seccompWarnings(spec: JsonObject, annotations: JsonObject, at: string): readonly string[] {
  return !isSet(spec, "securityContext", "seccompProfile") && Object.hasOwn(annotations, seccompAnnotation)
    ? [`${at}[${seccompAnnotation}]: non-functional in v1.27+; use the "seccompProfile" field instead`]
    : [];
}

function graceWarnings(spec: JsonObject, at: string): readonly string[] {
  return integerAt(spec, "terminationGracePeriodSeconds") < 0
    ? [`${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
    : [];
}

function affinityWarnings(spec: JsonObject, at: string): readonly string[] {
  return ["podAffinity", "podAntiAffinity"].flatMap((name) => {
    const affinity = objectAt(spec, "affinity", name);
    const required = "requiredDuringSchedulingIgnoredDuringExecution";
    const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
    const path = `${at}.affinity.${name}`;
    return [
      ...listAt(affinity, required).flatMap((term, index) =>
        nullSelectorWarnings(term, `${path}.${required}[${index}]`),
      ),
      ...listAt(affinity, preferred).flatMap((term, index) =>
        nullSelectorWarnings(objectAt(term, "podAffinityTerm"), `${path}.${preferred}[${index}].podAffinityTerm`),
      ),
    ];
  });
}
