import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { visit } from "./browser.test.support.js";
import { oidcPlugin } from "./oidc-plugin.js";
import type { TestProvider } from "./provider.test.support.js";

/** Result of a run of the plugin. */
export interface PluginRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The plugin with a cache and a provider of its own. */
export interface PluginUnderTest extends AsyncDisposable {
  readonly cacheFolder: string;
  readonly flags: readonly string[];
  /** Runs it in this process; a person, if there is one, visits what they are asked to. */
  run(argv: readonly string[], given?: RunOptions): Promise<PluginRun>;
  /** Starts it as a process of its own; unless `info` says otherwise nobody is there to log in. */
  start(
    argv: readonly string[],
    info?: string,
  ): {
    readonly child: ChildProcessByStdio<null, Readable, Readable>;
    /** Returns the text on standard error so far. */
    readonly stderr: () => string;
    readonly ended: Promise<PluginRun>;
  };
  /** Changes what the cache holds of the only login. */
  changeCached(change: (entry: CachedForTest) => void): Promise<void>;
}

interface RunOptions {
  readonly info?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** The entry of a cache as JSON. */
export interface CachedForTest {
  obtainedAt: number;
  credential?: { token?: string; expiresAt?: number };
  kept?: unknown;
  failure?: unknown;
}

/** Returns KUBERNETES_EXEC_INFO as clients set it. */
export function execInfo(interactive: boolean, version = "v1"): string {
  const apiVersion = `client.authentication.k8s.io/${version}`;
  return JSON.stringify({ kind: "ExecCredential", apiVersion, spec: { interactive } });
}

const program = fileURLToPath(new URL("../../bundle/gatehouse-credential-oidc.js", import.meta.url));

/** Makes a folder with an empty cache. */
export async function preparePlugin(provider: TestProvider): Promise<PluginUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-oidc-"));
  const caFile = join(folder, "ca.crt");
  await writeFile(caFile, provider.certificateAuthorityPem);
  const cacheFolder = join(folder, "cache");
  const flags = [
    `--issuer-url=${provider.issuer}`,
    `--ca-file=${caFile}`,
    `--cache-dir=${cacheFolder}`,
    "--open-browser=false",
  ];

  async function run(argv: readonly string[], given: RunOptions = {}): Promise<PluginRun> {
    let [stdout, stderr] = ["", ""];
    const info = "info" in given ? given.info : execInfo(true);
    const word = argv[0]?.startsWith("-") === false ? argv.slice(0, 1) : [];
    const visits: Promise<unknown>[] = [];
    const code = await oidcPlugin.run([...word, ...flags, ...argv.slice(word.length)], {
      print: (line) => {
        stdout += `${line}\n`;
      },
      printError: (line) => {
        stderr += `${line}\n`;
        const [, address] = /^(?:To log in, .* on this machine|\(or, with .*):\s+(https:[^\s)]*)\)?$/.exec(line) ?? [];
        if (address !== undefined && !argv.includes("--user=nobody-at-the-browser")) {
          visits.push(visit(address, provider.certificateAuthorityPem));
        }
      },
      process: thisProcess,
      env: { ...given.env, ...(info === undefined ? {} : { KUBERNETES_EXEC_INFO: info }) },
      stdinIsTerminal: false,
      stderrIsTerminal: false,
    });
    await Promise.all(visits);
    return { code, stdout, stderr };
  }

  return {
    cacheFolder,
    flags,
    run,
    start(argv, info = execInfo(false)) {
      const child = spawn(process.execPath, [program, ...flags, ...argv], {
        env: { ...process.env, KUBERNETES_EXEC_INFO: info },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let [stdout, stderr] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text) => {
        stdout += text;
      });
      child.stderr.setEncoding("utf8").on("data", (text) => {
        stderr += text;
      });
      const ended = once(child, "close").then(([code]): PluginRun => ({ code: code as number | null, stdout, stderr }));
      return { child, stderr: () => stderr, ended };
    },
    async changeCached(change) {
      const [name = ""] = (await readdir(cacheFolder)).filter((file) => file.endsWith(".json"));
      const path = join(cacheFolder, name);
      const entry: CachedForTest = JSON.parse(await readFile(path, "utf8"));
      change(entry);
      await writeFile(path, JSON.stringify(entry));
    },
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  };
}

/** The token ends within the time in which it is renewed, but still holds. */
export function nearItsEnd(entry: CachedForTest): void {
  entry.obtainedAt = Date.now() - 3_600_000;
  Object.assign(entry.credential ?? {}, { expiresAt: Date.now() + 20_000 });
}

/** The token has ended. */
export function ended({ credential = {} }: CachedForTest): void {
  credential.expiresAt = Date.now() - 1000;
}
