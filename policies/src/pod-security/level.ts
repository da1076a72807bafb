/** A level of the Pod Security Standards. */
export type Level = "privileged" | "baseline" | "restricted";

const levels: readonly Level[] = ["privileged", "baseline", "restricted"];

/** Parses a level; undefined for an invalid one, with `levelProblem` for people. */
export function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text);
}

/** The problem with a text that is no level. */
export const levelProblem = `must be one of ${levels.join(", ")}`;

/** Compares levels: negative, zero or positive if `a` is less strict than, as strict as or stricter than `b`. */
export function compareLevels(a: Level, b: Level): number {
  return levels.indexOf(a) - levels.indexOf(b);
}

/** A version of the policies: the release of Kubernetes that defines them. */
export interface PolicyVersion {
  /** The version as text: `latest` or `v1.29`. */
  readonly text: string;
  /** The minor version of 1.x; infinite for the latest. */
  readonly minor: number;
}

/** The policies of the release that runs. */
export const latestVersion: PolicyVersion = { text: "latest", minor: Number.POSITIVE_INFINITY };

/** The problem with a text that is no version. */
export const versionProblem = 'must be "latest" or "v1.x"';

/** Parses a version; undefined for an invalid one, with `versionProblem` for people. */
export function parsePolicyVersion(text: string): PolicyVersion | undefined {
  if (text === latestVersion.text) {
    return latestVersion;
  }
  const [, minor] = /^v1\.(0|[1-9][0-9]{0,17})$/.exec(text) ?? [];
  return minor === undefined ? undefined : { text, minor: Number(minor) };
}
