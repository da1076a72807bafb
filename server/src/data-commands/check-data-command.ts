import { countStore, hasUnfinishedRestore } from "@gatehouse/apiserver/storage/backup";
import { type Command, type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import { checkExitCodes, runCheck } from "../check-command.js";
import { withProgress } from "./command-progress.js";
import { bytesText, countText } from "./describe.js";
import { type CommandStore, openCommandStore } from "./open-command-store.js";
import { storeFlags } from "./store-flags.js";

const form = {
  command: "gatehouse check-data",
  summary: `Tells what is whole and what is damaged in a data directory, or under a prefix of etcd. Exit code ${checkExitCodes.whole}: all is whole; ${checkExitCodes.damaged}: something is damaged; ${checkExitCodes.unreadable}: a data directory cannot be read.`,
  flags: storeFlags,
} as const;

/** `gatehouse check-data`: `gatehouse-apiserver check`, and the same for etcd. */
export const checkDataCommand: Command = {
  async run(argv, io) {
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    if (line.values["etcd-servers"].length === 0) {
      return runCheck(["--data-dir", line.values["data-dir"]], { out: io.print, err: io.printError });
    }
    const opened = await openCommandStore(line);
    await using _ = opened.store;
    return await checkEtcd(opened, io);
  },
};

/** The beginnings of values that API servers write: JSON, protobuf, encrypted. */
const valueStarts = ["{", "k8s\0", "k8s:enc:"].map((text) => Buffer.from(text));

async function checkEtcd({ store, prefix, name }: CommandStore, io: CommandIo): Promise<number> {
  const revision = await store.currentRevision();
  const isWhole = (value: Buffer): boolean =>
    valueStarts.some((start) => value.subarray(0, start.length).equals(start));
  const { keys, bytes, damaged } = await withProgress(
    io,
    { label: `reading ${name}`, unit: "keys", total: 0 },
    (advance) => countStore({ store, prefix, revision }, { advance, isWhole }),
  );
  const isUnfinished = await hasUnfinishedRestore(store, prefix);
  io.print(`${name}: revision ${revision}`);
  io.print(`whole: ${countText(keys, "key")} under ${prefix} (${bytesText(bytes)})`);
  io.print(`damaged: ${countText(damaged.length, "key")}`);
  for (const { detail } of damaged) {
    io.print(`  ${detail}`);
  }
  if (isUnfinished) {
    io.print(`a restore into ${prefix} has not ended: keys are missing; run it again`);
  }
  return damaged.length > 0 || isUnfinished ? checkExitCodes.damaged : checkExitCodes.whole;
}
