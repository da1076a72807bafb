import { type BackupSource, restoreDataDirectory } from "@gatehouse/apiserver/storage/backup";
import { type Command, type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import { CommandError } from "@gatehouse/component-base/errors";
import { withProgress } from "./command-progress.js";
import { countText, tellDamage } from "./describe.js";
import { openSource } from "./open-source.js";

const group = "Restore";

const form = {
  command: "gatehouse restore",
  summary:
    "Makes a data directory of a full backup and its increments. Its revisions begin above all that the former server can have given out, so that clients with old resource versions get 410 Gone and list again. Exit code 1: nothing was restored, or keys were missing in the backup.",
  operands: ["FILE..."],
  requiredFlags: ["--data-dir DIR"],
  flags: {
    "data-dir": {
      type: "path",
      group: "Store",
      help: "The data `directory` to make, for the --data-dir of an API server. It must be empty, or not be there yet.",
    },
    "to-revision": {
      type: "int",
      min: 1,
      group,
      help: "The `revision` to restore. Default: the newest that the files have.",
    },
    "bump-revision": {
      type: "int",
      min: 0,
      max: 1_000_000_000_000,
      default: 1_000_000_000,
      group,
      help: "How far the `revisions` of the new store begin above the newest one of the files: at least the number of writes that the former server has made since the last backup.",
    },
  },
} as const;

/** `gatehouse restore`. */
export const restoreCommand: Command = {
  async run(argv, io) {
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { "data-dir": directory, "to-revision": toRevision, "bump-revision": bump } = line.values;
    if (directory === undefined) {
      throw new CommandError("--data-dir is required: the directory to make");
    }
    const { source } = await openSource(line.operands, io);
    const revision = toRevision ?? source.newestRevision;
    checkKept(source, revision);
    return await restore(source, revision, { directory, initialRevision: source.newestRevision + bump }, io);
  },
};

function checkKept({ oldestRevision, newestRevision }: BackupSource, revision: number): void {
  if (revision < oldestRevision || revision > newestRevision) {
    const kept =
      oldestRevision === newestRevision
        ? `only revision ${newestRevision} is`
        : `revisions ${oldestRevision} to ${newestRevision} are`;
    throw new CommandError(`revision ${revision} cannot be restored of these files: ${kept} kept in them`);
  }
}

async function restore(
  source: BackupSource,
  revision: number,
  target: { readonly directory: string; readonly initialRevision: number },
  io: CommandIo,
): Promise<number> {
  const { directory, initialRevision } = target;
  const { keys, expiredKeys } = await withProgress(
    io,
    { label: `restoring into ${directory}`, unit: "keys, written or read back", total: 0 },
    async (advance) =>
      await restoreDataDirectory({ ...target, advance, note: io.printError }, source.liveRecords(revision)),
  );
  io.print(
    `${directory}: ${countText(keys, "key")} as of revision ${revision}, read back and compared; revisions begin at ${initialRevision}`,
  );
  if (expiredKeys > 0) {
    io.print(`${countText(expiredKeys, "key")} had a time to live that has ended since, and were left out`);
  }
  return tellDamage(source, io) ? 1 : 0;
}
