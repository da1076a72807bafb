// Removes what was compiled from sources that are gone: tsc leaves it, so moved tests would run twice and modules that are
// gone could still be imported. Called by build.mjs.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Extensions of the files that tsc makes of a source. */
const output = /(\.d\.ts|\.js)(\.map)?$/;

/** Folders of `dist` that are compiled from elsewhere than `src`. */
const otherSources = ["console-page"];

/** Removes the outputs of a workspace without a source, and returns their paths. */
export function pruneOutputs(folder) {
  const [dist, src] = [join(folder, "dist"), join(folder, "src")];
  if (!existsSync(dist) || !existsSync(src)) {
    return [];
  }
  const stale = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && output.test(entry.name))
    .map((entry) => relative(dist, join(entry.parentPath ?? entry.path, entry.name)))
    .filter(
      (path) => !otherSources.includes(path.split(sep)[0]) && !existsSync(join(src, path.replace(output, ".ts"))),
    );
  for (const path of stale) {
    rmSync(join(dist, path));
  }
  return stale;
}
