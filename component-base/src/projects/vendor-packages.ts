import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { ConfigurationError } from "../errors.js";
import { makeFolder } from "../files/index.js";
import { problemAt } from "../problems/index.js";
import type { OwnPackage } from "./own-packages.js";

/** The folder of a project that holds the packages that no registry has. */
const vendorFolder = "vendor";

/** Milliseconds that packing some megabytes may take. */
const packMs = 120_000;

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
  const output = await runNpm([...words, ...packages.map(({ folder }) => folder)], env).catch(async (error) => {
    // A folder that is not empty would be in the way of the next try.
    await rm(target, { recursive: true, force: true });
    throw error;
  });
  // A list up to npm 11, an object named by the packages in later ones.
  const packed = Object.values<JsonObject>(JSON.parse(output));
  const tarballs = new Map(packed.map(({ name, filename }) => [name, basename(String(filename))]));
  return Object.fromEntries(packages.map(({ name }) => [name, `file:${vendorFolder}/${tarballs.get(name)}`]));
}

/** Runs npm; resolves to its standard output. */
async function runNpm(words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  // npm is a script of the shell on Windows.
  const shell = process.platform === "win32";
  // Not by the option `timeout`, whose timer outlives a program that could not be started.
  const signal = AbortSignal.timeout(packMs);
  const child = spawn("npm", words, { env, shell, signal, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  const failure = (text: string): ConfigurationError =>
    new ConfigurationError("npm", [problemAt("npm pack", `the packages of Gatehouse cannot be packed: ${text}`)]);
  const [code] = await once(child, "close").catch((error: Error) => {
    throw failure(error.message);
  });
  if (code !== 0) {
    throw failure(texts.stderr.trim() || `it has ended with ${code}`);
  }
  return texts.stdout;
}
