import type { coreV1 } from "@gatehouse/envelopes/types";
import type { Level } from "./level.js";

/** A pod, or the template of one, as the standards consider it. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: coreV1.PodSpec;
}

/** A violation of a level by a pod. */
export interface PodSecurityViolation {
  /** The violated control, as short as possible: `host namespaces`. */
  readonly reason: string;
  /** The violating settings: `hostNetwork=true`. */
  readonly detail: string;
}

/** Settings of the checks. */
export interface CheckOptions {
  /**
   * True if pods with user namespaces of their own (`hostUsers: false`) may run as root inside
   * (`UserNamespacesPodSecurityStandards`).
   */
  readonly relaxedForUserNamespaces: boolean;
}

/** A control of the Pod Security Standards. */
export interface Check {
  /** The identifier, by which violations are ordered. */
  readonly id: string;
  readonly level: Exclude<Level, "privileged">;
  /** The versions of the control, the oldest first. */
  readonly versions: readonly CheckVersion[];
}

/** The definition of a control since some release. */
export interface CheckVersion {
  /** The minor version of Kubernetes 1.x. */
  readonly sinceMinor: number;
  /** The id of a baseline control that need not be checked beside this one. */
  readonly replaces?: string;
  readonly check: (pod: CheckedPod, options: CheckOptions) => PodSecurityViolation | undefined;
}

/** A container of any sort. */
export type CheckedContainer = coreV1.Container | coreV1.EphemeralContainer;

/** Returns all containers of a pod: init containers, its own, then ephemeral ones. */
export function containersOf({ spec }: CheckedPod): readonly CheckedContainer[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}

/** Reports whether a pod is for Windows, where the demanded settings do not exist. */
export function isForWindows({ spec }: CheckedPod): boolean {
  return spec.os?.name === "windows";
}

/** Reports whether the pod may run as root in its own user namespace. */
export function hasOwnUsers({ spec }: CheckedPod, { relaxedForUserNamespaces }: CheckOptions): boolean {
  return relaxedForUserNamespaces && spec.hostUsers === false;
}

/** Returns the names of the containers for which `holds` is true. */
export function namesOf(
  pod: CheckedPod,
  holds: (container: CheckedContainer) => boolean | undefined,
): readonly string[] {
  return containersOf(pod)
    .filter((container) => holds(container) === true)
    .map(({ name }) => name ?? "");
}

/** Returns a text with names: `container "a"` or `containers "a", "b"`. */
export function containersText(names: readonly string[]): string {
  return counted("container", "containers", names);
}

/** Returns the names behind `one` or `many`, by their number. */
export function counted(one: string, many: string, names: readonly string[]): string {
  return `${names.length === 1 ? one : many} ${quoted(names)}`;
}

/** Returns the names in quotes: `"a", "b"`. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

/** Returns each text once, sorted. */
export function sortedSet(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
