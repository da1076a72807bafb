import { etcdKeyPrefix } from "@gatehouse/apiserver/options";
import { type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import { tellDamage } from "./describe.js";
import { openSource } from "./open-source.js";
import { etcdStoreFlags } from "./store-flags.js";

const form = {
  command: "gatehouse backup verify",
  summary:
    "Checks everything in a backup, in a full backup and its increments, or in a snapshot of etcd. Exit code 1: it cannot be restored, or keys are missing in it.",
  operands: ["FILE..."],
  flags: { "etcd-prefix": etcdStoreFlags["etcd-prefix"] },
} as const;

/** Runs `gatehouse backup verify FILE...`. Resolves to the exit code. */
export async function verifyBackups(argv: readonly string[], io: CommandIo): Promise<number> {
  const line = parseArguments(form, argv, io);
  if (line === undefined) {
    return 0;
  }
  const { source, lines } = await openSource(line.operands, etcdKeyPrefix(line.values["etcd-prefix"]), io);
  for (const text of lines) {
    io.print(text);
  }
  const { oldestRevision, newestRevision } = source;
  const span = oldestRevision === newestRevision ? `${newestRevision}` : `${oldestRevision} to ${newestRevision}`;
  io.print(`whole: can be restored as of revision ${span}`);
  return tellDamage(source, io) ? 1 : 0;
}
