import { versionLine } from "@gatehouse/apiserver/discovery";
import { StoreUnusableError } from "@gatehouse/apiserver/errors";
import { withWordsAsFlags } from "@gatehouse/component-base/commands";
import { defineFlags, formatHelp, parseFlags } from "@gatehouse/component-base/flags";
import { createLogger } from "@gatehouse/component-base/logs";
import { formatProblems, isSystemError, type Problem } from "@gatehouse/component-base/problems";
import { resolveEtcdFace } from "./etcd-face/etcd-face-config.js";
import { etcdFaceFlags } from "./etcd-face/etcd-face-flags.js";
import { serveEtcdFace } from "./etcd-face/serve-etcd-face.js";
import { serverFlags } from "./flags.js";

const etcdFlags = defineFlags({
  "data-dir": serverFlags["data-dir"],
  ...etcdFaceFlags,
  "listen-etcd-urls": { ...etcdFaceFlags["listen-etcd-urls"], default: ["http://127.0.0.1:2379"] },
  "logging-format": serverFlags["logging-format"],
});

const command = "gatehouse-apiserver etcd";
const summary =
  "Serves a data directory by the API of etcd v3, without the API of Kubernetes. A server may have the directory open, too.";

/** The outputs of the command, written a line at a time. */
export interface EtcdCommandOutput {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** Runs `gatehouse-apiserver etcd` until a signal stops it. Returns the exit code of a start that has failed. */
export async function runEtcd(argv: readonly string[], { out, err }: EtcdCommandOutput): Promise<number> {
  const parsed = parseFlags(etcdFlags, withWordsAsFlags(argv));
  switch (parsed.outcome) {
    case "help":
      out(formatHelp(etcdFlags, { command, summary }).trimEnd());
      return 0;
    case "version":
      out(versionLine);
      return 0;
    case "invalid":
      err(formatProblems(parsed.problems).trimEnd());
      return 1;
  }
  const problems: Problem[] = [];
  const face = resolveEtcdFace(parsed.values, problems);
  if (problems.length > 0 || face === undefined) {
    err(formatProblems(problems).trimEnd());
    return 1;
  }
  try {
    const logger = createLogger({ name: command, format: parsed.values["logging-format"] });
    await serveEtcdFace({ directory: parsed.values["data-dir"], face, logger });
    return 0;
  } catch (error) {
    if (error instanceof StoreUnusableError || isSystemError(error)) {
      err(`${command}: ${error.message}`);
      return 1;
    }
    throw error;
  }
}
