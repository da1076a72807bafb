import { spawn } from "node:child_process";
import { once } from "node:events";
import { ConfigurationError } from "../errors.js";
import { problemAt } from "../problems/index.js";

/** The options of `runNpm`. */
export interface RunNpmOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder to run in. Default: the current one. */
  readonly folder?: string;
  /** A sentence without an end, for the error: `the project cannot be compiled`. */
  readonly failure: string;
}

/** Milliseconds that a command of npm may take. */
const limitMs = 120_000;

/** Runs npm; resolves to its standard output. Rejects with ConfigurationError when it fails. */
export async function runNpm(
  words: readonly string[],
  { env, folder = ".", failure: summary }: RunNpmOptions,
): Promise<string> {
  // npm is a script of the shell on Windows.
  const shell = process.platform === "win32";
  // Not by the option `timeout`, whose timer outlives a program that could not be started.
  const signal = AbortSignal.timeout(limitMs);
  const child = spawn("npm", words, { cwd: folder, env, shell, signal, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  const failure = (text: string): ConfigurationError =>
    new ConfigurationError("npm", [problemAt(`npm ${words[0]}`, `${summary}: ${text}`)]);
  const [code] = await once(child, "close").catch((error: Error) => {
    throw failure(error.message);
  });
  if (code !== 0) {
    // Compilers write their errors to standard output.
    throw failure(`${texts.stdout}${texts.stderr}`.trim() || `it has ended with ${code}`);
  }
  return texts.stdout;
}

/** Returns what `npm pack --json` says of the packages: a list up to npm 11, an object named by the packages in later ones. */
export function packedPackages<T>(output: string): readonly T[] {
  return Object.values<T>(JSON.parse(output));
}
