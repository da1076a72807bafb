import { isFromRegistry, ownPackages } from "./own-packages.js";
import { vendorPackages } from "./vendor-packages.js";

/** The packages of Gatehouse that the sources of a project import. */
export interface NamedPackages {
  readonly runtime: readonly string[];
  /** Packages for tests and development only. */
  readonly development: readonly string[];
  /** The URL of the program that makes the project: packages are looked for where it finds them. */
  readonly from: string;
}

/** Dependencies of a project on packages of Gatehouse, as package.json has them. */
export interface ProjectPackages {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/**
 * Returns the dependencies of a new project in `folder`: the exact version that the program was published with, or else
 * copies of its packages, which are packed into the project. Rejects with ConfigurationError when a package to be copied
 * is not installed or npm fails.
 */
export async function projectPackages(
  { runtime, development, from }: NamedPackages,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProjectPackages> {
  const needed = await ownPackages(runtime, from);
  const published = await Promise.all(needed.map(isFromRegistry));
  if (!published.includes(false)) {
    // All packages of a release have one version, so that those for development need not be installed here.
    const version = needed[0]?.version ?? "";
    const pinned = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, version]));
    return { dependencies: pinned(runtime), devDependencies: pinned(development) };
  }
  const packages = await ownPackages([...runtime, ...development], from);
  const vendored = Object.entries(await vendorPackages(packages, folder, env));
  const isNeeded = (name: string): boolean => needed.some((each) => each.name === name);
  return {
    dependencies: Object.fromEntries(vendored.filter(([name]) => isNeeded(name))),
    devDependencies: Object.fromEntries(vendored.filter(([name]) => !isNeeded(name))),
  };
}
