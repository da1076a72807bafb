import { type FieldError, fieldError } from "@gatehouse/envelopes/status";
import {
  compareLevels,
  type Level,
  latestVersion,
  levelProblem,
  type PolicyVersion,
  parseLevel,
  parsePolicyVersion,
  versionProblem,
} from "./level.js";

/** A level as some release has defined it. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: PolicyVersion;
}

/** The treatment of pods that violate a level: they are refused, noted in the audit log, or their author is warned. */
export type Mode = "enforce" | "audit" | "warn";

/** The levels of a namespace. */
export type Policy = Readonly<Record<Mode, LevelVersion>>;

/** The prefix of the namespace labels, and of audit annotations about them. */
export const podSecurityPrefix = "pod-security.kubernetes.io/";

/** Returns the text of a level and its version: `restricted:v1.29`. */
export function levelVersionText({ level, version }: LevelVersion): string {
  return `${level}:${version.text}`;
}

/** Reports whether both are the same level of the same release. */
export function isSameLevelVersion(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.version.text === b.version.text;
}

/** Reports whether a policy allows everything in every mode. */
export function isFullyPrivileged({ enforce, audit, warn }: Policy): boolean {
  return [enforce, audit, warn].every(({ level }) => level === "privileged");
}

/** Reports whether two policies have the same effect: all versions of privileged allow everything. */
export function isEquivalent(a: Policy, b: Policy): boolean {
  return (["enforce", "audit", "warn"] as const).every(
    (mode) =>
      (a[mode].level === "privileged" && b[mode].level === "privileged") || isSameLevelVersion(a[mode], b[mode]),
  );
}

/** The policy in the labels of a namespace, and the errors in them. There is a policy in any case. */
export interface ParsedPolicy {
  readonly policy: Policy;
  readonly errors: readonly FieldError[];
}

type Labels = Readonly<Record<string, string>>;

/**
 * Returns the policy of a namespace: its labels, and the defaults for those that are missing. An invalid level counts
 * as the strictest one for enforcement, and as none for audit and warnings.
 */
export function policyOf(labels: Labels, defaults: Policy): ParsedPolicy {
  const errors: FieldError[] = [];
  const enforce = readMode("enforce", "restricted", labels, defaults, errors);
  const audit = readMode("audit", "privileged", labels, defaults, errors);
  const warn = readMode("warn", "privileged", labels, defaults, errors);
  return { policy: { enforce, audit, warn: warnedOf(warn, enforce, labels) }, errors };
}

function readMode(mode: Mode, unreadable: Level, labels: Labels, defaults: Policy, errors: FieldError[]): LevelVersion {
  let { level, version } = defaults[mode];
  const levelText = labelOf(labels, mode);
  if (levelText !== undefined) {
    const parsed = parseLevel(levelText);
    level = parsed ?? unreadable;
    if (parsed === undefined) {
      errors.push(fieldError.invalid(pathOf(mode), levelText, levelProblem));
    }
  }
  const versionText = labelOf(labels, `${mode}-version`);
  if (versionText !== undefined) {
    const parsed = parsePolicyVersion(versionText);
    version = parsed ?? latestVersion;
    if (parsed === undefined) {
      errors.push(fieldError.invalid(pathOf(`${mode}-version`), versionText, versionProblem));
    }
  }
  return { level, version };
}

/**
 * Returns the level for warnings: that of enforcement if a label sets it, it is stricter, and no label sets warnings.
 */
function warnedOf(warn: LevelVersion, enforce: LevelVersion, labels: Labels): LevelVersion {
  const isEnforcedByLabel = parseLevel(labelOf(labels, "enforce") ?? "") !== undefined;
  const isStated = labelOf(labels, "warn") !== undefined;
  if (isStated || !isEnforcedByLabel || compareLevels(enforce.level, warn.level) <= 0) {
    return warn;
  }
  return labelOf(labels, "warn-version") === undefined ? enforce : { level: enforce.level, version: warn.version };
}

function labelOf(labels: Labels, name: string): string | undefined {
  const label = podSecurityPrefix + name;
  return Object.hasOwn(labels, label) ? labels[label] : undefined;
}

function pathOf(name: string): string {
  return `metadata.labels[${podSecurityPrefix}${name}]`;
}
