import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A server process of a test. */
export interface LaunchedServer {
  readonly port: number;
  readonly token: string;
  readonly dataDirectory: string;
  readonly child: ChildProcess;
  /** What it has logged so far. */
  log(): string;
  /** Ends the process and removes what it stored. */
  stop(): Promise<void>;
}
const token = "test-token";

export async function launchServer(flags: readonly string[] = [], directory?: string): Promise<LaunchedServer> {
  const root = directory ?? (await mkdtemp(join(tmpdir(), "gatehouse-spec-")));
  const tokenFile = join(root, "tokens.csv");
  await writeFile(tokenFile, `${token},admin,admin,"system:masters"\n`);
  const script = join(fileURLToPath(import.meta.resolve("@gatehouse/server")), "../main.js");
  const child = spawn(
    process.execPath,
    [
      "--enable-source-maps",
      script,
      "--bind-address=127.0.0.1",
      "--secure-port=0",
      `--cert-dir=${join(root, "certs")}`,
      `--data-dir=${join(root, "store")}`,
      `--token-auth-file=${tokenFile}`,
      "--logging-format=json",
      ...flags,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let text = "";
  const port = await new Promise<number>((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      text += chunk.toString();
      const match = /"port":(\d+)/.exec(text);
      if (match !== null) {
        resolve(Number(match[1]));
      }
    };
    child.stdout.on("data", onData);
    child.stderr.on("data", onData);
    child.once("exit", (code, signal) => reject(new Error(`the server ended (${code ?? signal}): ${text}`)));
  });
  return {
    port,
    token,
    dataDirectory: root,
    child,
    log: () => text,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        await new Promise((resolve) => child.once("exit", resolve));
      }
      await rm(root, { recursive: true, force: true });
    },
  };
}
