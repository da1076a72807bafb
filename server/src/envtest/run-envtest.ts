import { resolve } from "node:path";
import { versionLine } from "@gatehouse/apiserver/discovery";
import { StoreUnusableError } from "@gatehouse/apiserver/errors";
import { createLogger } from "@gatehouse/component-base/logs";
import { isSystemError } from "@gatehouse/component-base/problems";
import { serveEtcdFace } from "../etcd-face/serve-etcd-face.js";
import type { ServeOptions } from "../serve.js";
import { adaptArguments, etcdServerOf, readApiServerArguments } from "./api-server-arguments.js";
import { endWithParent } from "./end-with-parent.js";
import { readEtcdArguments } from "./etcd-arguments.js";
import { askForData, dataPath, type EtcdData } from "./etcd-data.js";

/** Runs this server with a command line, and with parts for test harnesses. */
type RunServer = (argv: readonly string[], harness?: ServeOptions["harness"]) => Promise<void>;

const maxRequestBytes = 1.5 * 2 ** 20;

/**
 * Runs one of the pair that test harnesses start in place of the real programs: `kube-apiserver` or `etcd`, with their
 * command lines (decision 0072). `runServer` runs this server with the command line that results.
 */
export async function runEnvtest([program, ...argv]: readonly string[], runServer: RunServer): Promise<void> {
  switch (program) {
    case "etcd":
      return runEtcd(argv);
    case "kube-apiserver":
      return runApiServer(argv, runServer);
    default:
      process.stderr.write("gatehouse-apiserver envtest: the next argument must be kube-apiserver or etcd\n");
      process.exitCode = 1;
  }
}

async function runEtcd(argv: readonly string[]): Promise<void> {
  const { directory, urls, unsafeNoFsync, notes, problems } = readEtcdArguments(argv);
  if (problems.length > 0) {
    return refuse("etcd", problems.join("\n"));
  }
  const logger = createLogger({ name: "etcd", format: "text" });
  for (const note of notes) {
    logger.warn(note);
  }
  endWithParent(new Set([directory]));
  const data: EtcdData = { directory: resolve(directory), unsafeNoFsync };
  try {
    await serveEtcdFace({
      directory,
      face: { urls, tls: undefined, maxRequestBytes },
      logger,
      unsafeNoFsync,
      furtherAnswers: new Map([[dataPath, JSON.stringify(data)]]),
    });
  } catch (error) {
    if (error instanceof StoreUnusableError || isSystemError(error)) {
      return refuse("etcd", error.message);
    }
    throw error;
  }
}

async function runApiServer(argv: readonly string[], runServer: RunServer): Promise<void> {
  if (argv.includes("--version")) {
    process.stdout.write(`${versionLine}\n`);
    return;
  }
  const flags = readApiServerArguments(argv);
  const etcd = etcdServerOf(flags);
  const additions = new Set((process.env["GATEHOUSE_ENVTEST"] ?? "").split(","));
  const folders = new Set(flags.filter(({ name }) => name === "cert-dir").map(({ value }) => value ?? ""));
  if (!additions.has("detached")) {
    endWithParent(folders);
  }
  const data = etcd?.startsWith("http://") ? await askForData(etcd) : undefined;
  if (data !== undefined) {
    folders.add(data.directory); // The server may open it, and so make it again, when etcd has gone and deleted it.
  }
  const adapted = adaptArguments(flags, { data, controllers: additions.has("controllers") });
  const logger = createLogger({ name: "kube-apiserver", format: "text" });
  for (const note of adapted.notes) {
    logger.warn(note);
  }
  // The etcd of the pair starts without them.
  const [{ serveForks }, { startServer }] = await Promise.all([
    import("../harness/serve-forks.js"),
    import("../server.js"),
  ]);
  await runServer(adapted.argv, (config, log) =>
    serveForks(config, log, (ofFork, logOfFork, parts) =>
      startServer(ofFork, logOfFork, {}, undefined, undefined, parts),
    ),
  );
}

function refuse(program: string, message: string): void {
  process.stderr.write(`${program}: ${message}\n`);
  process.exitCode = 1;
}
