import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigurationError } from "../errors.js";
import { problemAt } from "../problems/index.js";
import type { ArchiveEntry } from "./archive.js";

/** Node.js as an image holds it. */
export interface NodeRuntime {
  /** The program as `/usr/local/bin/node`, and its libraries at their paths on this machine. */
  readonly entries: readonly ArchiveEntry[];
  /** System and architecture by the names of Go: `linux-amd64`. */
  readonly platform: string;
  /** Variables of the environment that the program needs to find its libraries. */
  readonly env: readonly string[];
}

/** Go's names of the architectures. */
const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** Folders in which every loader looks for libraries. */
const ownFolders = /^\/(?:usr\/)?lib(?:64)?\//;

/** Libraries beside libc that it loads when a name of a host is looked up. */
const nameServices = ["libnss_dns.so.2", "libnss_files.so.2", "libresolv.so.2"];

/**
 * Returns the Node.js that runs this program, with the libraries that it is linked with. Throws ConfigurationError where it
 * does not run on Linux, since images are for Linux.
 */
export function nodeRuntime(): NodeRuntime {
  const architecture = architectures[process.arch];
  if (process.platform !== "linux" || architecture === undefined) {
    const here = `${process.platform} on ${process.arch}`;
    const text = `an image holds the Node.js and the packages of this machine, which are for ${here}; build it on Linux (x64, arm64), or in a container`;
    throw new ConfigurationError("image", [problemAt("platform", text)]);
  }
  const libraries = linkedLibraries();
  const unusual = [...new Set(libraries.filter((path) => !ownFolders.test(path)).map((path) => dirname(path)))];
  return {
    entries: [
      { name: "usr/local/bin/node", mode: 0o755, source: process.execPath },
      ...libraries.map((path) => ({ name: path.slice(1), mode: 0o755, source: path })),
    ],
    platform: `linux-${architecture}`,
    env: unusual.length === 0 ? [] : [`LD_LIBRARY_PATH=${unusual.join(":")}`],
  };
}

/** Returns the paths of the libraries of this process and of its loader. */
function linkedLibraries(): readonly string[] {
  const { sharedObjects } = process.report.getReport() as unknown as { readonly sharedObjects: readonly string[] };
  const loaded = sharedObjects.filter((path) => path.startsWith("/") && !path.endsWith(".node") && existsSync(path));
  const libc = loaded.find((path) => /\/libc\.so\.6$/.test(path));
  const named = libc === undefined ? [] : nameServices.map((name) => join(dirname(libc), name)).filter(existsSync);
  return [...new Set([...loaded, ...named])].filter((path) => path !== process.execPath).sort();
}
