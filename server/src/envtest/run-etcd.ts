import { resolve } from "node:path";
import { StoreUnusableError } from "@gatehouse/apiserver/errors";
import { createLogger } from "@gatehouse/component-base/logs";
import { isSystemError } from "@gatehouse/component-base/problems";
import { serveEtcdFace } from "../etcd-face/serve-etcd-face.js";
import { endWithParent } from "./end-with-parent.js";
import { readEtcdArguments } from "./etcd-arguments.js";
import { dataPath, type EtcdData } from "./etcd-data.js";
import type { HeldPort } from "./held-port.js";

/**
 * Runs the `etcd` that test harnesses start in place of the real one, with its command line (decision 0072), on a port that
 * is open already, unless its address is another one.
 */
export async function runEtcd(argv: readonly string[], port?: HeldPort): Promise<void> {
  const { directory, urls, unsafeNoFsync, limits, notes, problems } = readEtcdArguments(argv);
  if (problems.length > 0) {
    return refuse(problems.join("\n"));
  }
  const logger = createLogger({ name: "etcd", format: "text" });
  for (const note of notes) {
    logger.warn(note);
  }
  endWithParent(new Set([directory]));
  port?.release();
  const data: EtcdData = { directory: resolve(directory), unsafeNoFsync };
  try {
    await serveEtcdFace({
      directory,
      face: { urls, tls: undefined, ...limits },
      logger,
      unsafeNoFsync,
      connections: port,
      furtherAnswers: new Map([[dataPath, JSON.stringify(data)]]),
    });
  } catch (error) {
    if (error instanceof StoreUnusableError || isSystemError(error)) {
      return refuse(error.message);
    }
    throw error;
  }
}

function refuse(message: string): void {
  process.stderr.write(`etcd: ${message}\n`);
  process.exitCode = 1;
}
