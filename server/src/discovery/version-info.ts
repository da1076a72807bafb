import type { JsonObject } from "@gatehouse/envelopes";

/** What `/version` tells. Clients compare `major`, `minor` and `gitVersion` (a semantic version after the `v`). */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  /** `clean`, `dirty` or empty. */
  readonly gitTreeState: string;
  /** RFC 3339. */
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  /** `<operating system>/<architecture>` in Go's words: `linux/amd64`. */
  readonly platform: string;
}

/** The release of the API that this server speaks. */
export const apiRelease = { major: "1", minor: "29", patch: "15" } as const;

export interface Build {
  /** Version of this program. It becomes build metadata of the semantic version, which comparisons leave out. */
  readonly version: string;
  readonly commit: string;
  readonly treeState: "clean" | "dirty" | "";
  readonly date: string;
  /** `process.version` */
  readonly nodeVersion: string;
  /** `process.platform` and `process.arch` */
  readonly platform: string;
  readonly architecture: string;
}

const goPlatforms: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const goArchitectures: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386", ppc64: "ppc64le" };

/** What this program answers at `/version`. `gitVersion` is `v1.29.15+gatehouse.0.1.0`. */
export function versionInfo(build: Build): VersionInfo {
  const { major, minor, patch } = apiRelease;
  return {
    major,
    minor,
    gitVersion: `v${major}.${minor}.${patch}+gatehouse.${build.version}`,
    gitCommit: build.commit,
    gitTreeState: build.treeState,
    buildDate: build.date,
    goVersion: `node${build.nodeVersion.replace(/^v/, "")}`,
    compiler: "tsc",
    platform: `${goPlatforms[build.platform] ?? build.platform}/${goArchitectures[build.architecture] ?? build.architecture}`,
  };
}

/** `/version`. */
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
