// Finds what bundlers, resolvers and the TypeScript compiler of a stranger would stumble over in a packed workspace: publint
// reads its package.json against its files, "are the types wrong" resolves each entry. Used by check-packages.mjs.
import { readFile } from "node:fs/promises";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** Ways of importing that packages of ES modules with entries by subpath do not offer. */
const unsupportedWays = new Set(["node10", "node16-cjs"]);

/** Returns what is wrong with packed workspaces (names and tarballs), as sentences. */
export async function lintPackages(packed) {
  const found = await Promise.all([...packed].map(([name, { tarball }]) => lintPackage(name, tarball)));
  return found.flat();
}

async function lintPackage(name, tarball) {
  const data = new Uint8Array(await readFile(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer } });
  const { problems = [] } = await checkPackage(createPackageFromTarballData(data));
  return [
    ...messages.map((message) => `${name}: publint: ${formatMessage(message, pkg, { color: false })}`),
    ...problems
      .filter(({ resolutionKind }) => !unsupportedWays.has(resolutionKind))
      .map(({ kind, entrypoint = "" }) => `${name}: its types are wrong at "${entrypoint}": ${kind}`),
  ];
}
