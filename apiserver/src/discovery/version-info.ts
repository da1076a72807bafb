import type { JsonObject } from "@gatehouse/envelopes/json";

/** The answer of `/version`. Clients compare `major`, `minor` and `gitVersion` (a semantic version after the `v`). */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  /** The state of the working tree: `clean`, `dirty` or empty. */
  readonly gitTreeState: string;
  /** The time of the build in RFC 3339. */
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  /** The platform as Go names it, `<operating system>/<architecture>`: `linux/amd64`. */
  readonly platform: string;
}

/** Returns the document of `/version`. */
export function versionDocument(info: VersionInfo): JsonObject {
  return {
    major: info.major,
    minor: info.minor,
    gitVersion: info.gitVersion,
    gitCommit: info.gitCommit,
    gitTreeState: info.gitTreeState,
    buildDate: info.buildDate,
    goVersion: info.goVersion,
    compiler: info.compiler,
    platform: info.platform,
  };
}
