import type { coreV1 } from "@gatehouse/envelopes/types";
import type { Level } from "./level.js";

/** What the standard looks at: a pod, or the template of one. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: coreV1.PodSpec;
}

/** What a pod does that a level does not allow. */
export interface PodSecurityViolation {
  /** What is violated, as short as can be: `host namespaces`. */
  readonly reason: string;
  /** By what: `hostNetwork=true`. */
  readonly detail: string;
}

/** Settings of the checks. */
export interface CheckOptions {
  /** Pods with user names of their own (`hostUsers: false`) may run as root inside (`UserNamespacesPodSecurityStandards`). */
  readonly relaxedForUserNamespaces: boolean;
}

/** One control of the Pod Security Standards. */
export interface Check {
  /** Decides about the order of violations. */
  readonly id: string;
  readonly level: Exclude<Level, "privileged">;
  /** How the control has been defined since when, the oldest first. */
  readonly versions: readonly CheckVersion[];
}

/** A control as it has been defined since some release. */
export interface CheckVersion {
  /** Of Kubernetes 1.x. */
  readonly sinceMinor: number;
  /** Controls of the baseline that need not be looked at beside this one. */
  readonly replaces?: string;
  readonly check: (pod: CheckedPod, options: CheckOptions) => PodSecurityViolation | undefined;
}

/** What all sorts of containers have in common. */
export type CheckedContainer = coreV1.Container | coreV1.EphemeralContainer;

/** All containers of a pod: those that prepare it, those that it is for, those that were added to look into it. */
export function containersOf({ spec }: CheckedPod): readonly CheckedContainer[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}

/** Windows has no such thing: what would be demanded is not there to be set. */
export function isForWindows({ spec }: CheckedPod): boolean {
  return spec.os?.name === "windows";
}

/** Whether the pod may be root within its own user names. */
export function hasOwnUsers({ spec }: CheckedPod, { relaxedForUserNamespaces }: CheckOptions): boolean {
  return relaxedForUserNamespaces && spec.hostUsers === false;
}

/** The names of the containers of which something holds. */
export function namesOf(
  pod: CheckedPod,
  holds: (container: CheckedContainer) => boolean | undefined,
): readonly string[] {
  return containersOf(pod)
    .filter((container) => holds(container) === true)
    .map(({ name }) => name ?? "");
}

/** `container "a"` or `containers "a", "b"` */
export function containersText(names: readonly string[]): string {
  return counted("container", "containers", names);
}

/** The names behind what they are names of. */
export function counted(one: string, many: string, names: readonly string[]): string {
  return `${names.length === 1 ? one : many} ${quoted(names)}`;
}

/** `"a", "b"` */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

/** Each text once, in order. */
export function sortedSet(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
