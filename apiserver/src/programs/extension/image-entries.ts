import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { type ArchiveEntry, type NodeRuntime, systemEntries, withParents } from "@gatehouse/component-base/images";
import { productionPackages } from "@gatehouse/component-base/projects";

/** A project to put into an image. */
export interface ProjectOfImage {
  /** The path of the project. */
  readonly project: string;
  /** The folder of the project in the image, with a slash at its beginning. */
  readonly folder: string;
  /** The name of the user of the process. */
  readonly userName: string;
  readonly runtime: NodeRuntime;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the entries of the layer of an image: Node.js with its libraries, what the project has compiled, and the packages
 * that it needs at run time. Rejects with ConfigurationError when one is not installed.
 */
export async function imageEntries(image: ProjectOfImage): Promise<readonly ArchiveEntry[]> {
  const { project, folder, userName, runtime, env } = image;
  const compiled = await readdir(join(project, "dist"), { recursive: true, withFileTypes: true });
  const own = compiled
    .filter((entry) => entry.isFile() && !/\.test\.|\.map$|\.d\.[cm]?ts$/.test(entry.name))
    .map((entry) => relative(project, join(entry.parentPath, entry.name)));
  const files = [
    ...["package.json", ...own].map((path) => ({ path, source: join(project, path) })),
    ...(await productionPackages(project, env)),
  ];
  const entries = await Promise.all(
    files.map(async ({ path, source }) => ({
      name: `${folder.slice(1)}/${path}`,
      // Modes of the machine, such as those by its umask, would make another image of the same files.
      mode: (await stat(source)).mode & 0o111 ? 0o755 : 0o644,
      source,
    })),
  );
  return withParents([...entries, ...runtime.entries, ...systemEntries(userName)]);
}
