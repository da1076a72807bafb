import type { Check, CheckedPod, CheckOptions, CheckVersion, PodSecurityViolation } from "./check.js";
import { appArmor } from "./checks/app-armor.js";
import { capabilitiesBaseline } from "./checks/capabilities-baseline.js";
import { capabilitiesRestricted } from "./checks/capabilities-restricted.js";
import { hostNamespaces } from "./checks/host-namespaces.js";
import { hostPathVolumes } from "./checks/host-path-volumes.js";
import { hostPorts } from "./checks/host-ports.js";
import { privilegeEscalation } from "./checks/privilege-escalation.js";
import { privilegedContainers } from "./checks/privileged-containers.js";
import { procMount } from "./checks/proc-mount.js";
import { runAsNonRoot } from "./checks/run-as-non-root.js";
import { runAsUser } from "./checks/run-as-user.js";
import { seLinux } from "./checks/se-linux.js";
import { seccompBaseline } from "./checks/seccomp-baseline.js";
import { seccompRestricted } from "./checks/seccomp-restricted.js";
import { sysctls } from "./checks/sysctls.js";
import { volumeTypes } from "./checks/volume-types.js";
import { windowsHostProcess } from "./checks/windows-host-process.js";
import type { LevelVersion } from "./policy.js";

/** All controls. */
export const allChecks: readonly Check[] = [
  appArmor,
  capabilitiesBaseline,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  privilegedContainers,
  procMount,
  seLinux,
  seccompBaseline,
  sysctls,
  windowsHostProcess,
  privilegeEscalation,
  capabilitiesRestricted,
  volumeTypes,
  runAsNonRoot,
  runAsUser,
  seccompRestricted,
];

/** The newest minor version with a change; later versions are taken for this one. */
const newestMinor = Math.max(...allChecks.flatMap(({ versions }) => versions.map(({ sinceMinor }) => sinceMinor)));

type Plan = readonly CheckVersion["check"][];

/** Plans by level and version, made when first used: there are some sixty at most. */
const plans = new Map<string, Plan>();

/**
 * Returns the violations of a level by a pod: those of the baseline first, each in the order of the controls' names.
 */
export function violationsOf(
  { level, version }: LevelVersion,
  pod: CheckedPod,
  options: CheckOptions,
): readonly PodSecurityViolation[] {
  if (level === "privileged") {
    return [];
  }
  const minor = Math.min(version.minor, newestMinor);
  const key = `${level}:${minor}`;
  let plan = plans.get(key);
  if (plan === undefined) {
    plan = planOf(level, minor);
    plans.set(key, plan);
  }
  const violations: PodSecurityViolation[] = [];
  for (const check of plan) {
    const violation = check(pod, options);
    if (violation !== undefined) {
      violations.push(violation);
    }
  }
  return violations;
}

function planOf(level: Check["level"], minor: number): Plan {
  const baseline = effectiveAt("baseline", minor);
  const restricted = level === "restricted" ? effectiveAt("restricted", minor) : [];
  const replaced = new Set(restricted.map(({ version }) => version.replaces));
  return [...baseline.filter(({ id }) => !replaced.has(id)), ...restricted].map(({ version }) => version.check);
}

function effectiveAt(level: Check["level"], minor: number): { id: string; version: CheckVersion }[] {
  return allChecks
    .filter((check) => check.level === level)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap(({ id, versions }) => {
      const version = versions.findLast(({ sinceMinor }) => sinceMinor <= minor);
      return version === undefined ? [] : [{ id, version }];
    });
}

/** Returns the text for the author of one pod: `host namespaces (hostNetwork=true), privileged (...)`. */
export function violationsInDetail(violations: readonly PodSecurityViolation[]): string {
  return violations.map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`)).join(", ");
}

/** Returns the text for the author of a policy for many pods: `host namespaces, privileged`. */
export function violationsInBrief(violations: readonly PodSecurityViolation[]): string {
  return violations.map(({ reason }) => reason).join(", ");
}
