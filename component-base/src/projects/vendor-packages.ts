import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { makeFolder } from "../files/index.js";
import type { OwnPackage } from "./own-packages.js";
import { packedPackages, runNpm } from "./run-npm.js";

/** The folder of a project that holds the packages that no registry has. */
const vendorFolder = "vendor";

/**
 * Packs packages into the vendor folder of a project, so that it can be installed anywhere, also in an image. Returns
 * its dependencies on them, as package.json has them. Rejects with ConfigurationError when npm fails.
 */
export async function vendorPackages(
  packages: readonly OwnPackage[],
  project: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string>>> {
  const target = join(project, vendorFolder);
  await makeFolder(target);
  const words = ["pack", "--json", "--ignore-scripts", `--pack-destination=${target}`];
  const failure = "the packages of Gatehouse cannot be packed";
  const folders = packages.map(({ folder }) => folder);
  const output = await runNpm([...words, ...folders], { env, failure }).catch(async (error) => {
    // A folder that is not empty would be in the way of the next try.
    await rm(target, { recursive: true, force: true });
    throw error;
  });
  const packed = packedPackages<JsonObject>(output);
  const tarballs = new Map(packed.map(({ name, filename }) => [name, basename(String(filename))]));
  return Object.fromEntries(packages.map(({ name }) => [name, `file:${vendorFolder}/${tarballs.get(name)}`]));
}
