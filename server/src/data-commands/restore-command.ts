import { etcdKeyPrefix } from "@gatehouse/apiserver/options";
import { type BackupSource, type RestoredRecords, restoreDataDirectory } from "@gatehouse/apiserver/storage/backup";
import { type Command, type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import { CommandError } from "@gatehouse/component-base/errors";
import type { FlagValues } from "@gatehouse/component-base/flags";
import { type ProgressOf, withProgress } from "./command-progress.js";
import { countText, tellDamage } from "./describe.js";
import { fillEtcd } from "./fill-etcd.js";
import { openCommandEtcd } from "./open-command-store.js";
import { openSource } from "./open-source.js";
import { etcdStoreFlags } from "./store-flags.js";

const group = "Restore";

/** Revisions by which a new data directory begins above its backups, unless told otherwise. */
const defaultBump = 1_000_000_000;

const form = {
  command: "gatehouse restore",
  summary:
    "Makes a data directory, or fills an empty prefix of etcd, from a full backup and its increments, or from a snapshot of etcd. Revisions go on above all that the former server can have given out, so that clients with old resource versions get 410 Gone and list again. Exit code 1: nothing was restored, or keys were missing in the backup.",
  operands: ["FILE..."],
  requiredFlags: ["--data-dir DIR|--etcd-servers URLS"],
  flags: {
    "data-dir": {
      type: "path",
      group: "Store",
      help: "The data `directory` to make, for the --data-dir of an API server. It must be empty, or not be there yet.",
    },
    ...etcdStoreFlags,
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
      group,
      help: "How far the `revisions` go on above the newest one of the files: at least the number of writes that the former server has made since the last backup. Default: 1000000000 for a data directory. etcd reaches them by as many writes, some thousand a second; without this flag it must be above the files already.",
    },
    replace: {
      type: "bool",
      group,
      help: "Delete the keys under the prefix in etcd before. Servers that use it must have been stopped.",
    },
  },
} as const;

type RestoreFlags = FlagValues<typeof form.flags>;

/** `gatehouse restore`. */
export const restoreCommand: Command = {
  async run(argv, io) {
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { values } = line;
    checkTarget(values);
    const prefix = etcdKeyPrefix(values["etcd-prefix"]);
    const { source } = await openSource(line.operands, prefix, io);
    const revision = values["to-revision"] ?? source.newestRevision;
    checkKept(source, revision);
    const { keys, expiredKeys } = await restore(source, revision, values, io);
    if (expiredKeys > 0) {
      io.print(`${countText(expiredKeys, "key")} had a time to live that has ended since, and were left out`);
    }
    if (keys === 0) {
      io.printError(`there were no keys to restore; those of a snapshot of etcd must start with ${prefix}`);
    }
    return tellDamage(source, io) || keys === 0 ? 1 : 0;
  },
};

function checkTarget({ "data-dir": directory, "etcd-servers": servers, replace }: RestoreFlags): void {
  if ((directory === undefined) === (servers.length === 0)) {
    throw new CommandError("give either --data-dir, the directory to make, or --etcd-servers");
  }
  if (directory !== undefined && replace) {
    throw new CommandError(
      "--replace is for etcd; restore into a new directory, and put it in the place of the old one",
    );
  }
}

function checkKept({ oldestRevision, newestRevision }: BackupSource, revision: number): void {
  if (revision < oldestRevision || revision > newestRevision) {
    const kept =
      oldestRevision === newestRevision
        ? `only revision ${newestRevision} is`
        : `revisions ${oldestRevision} to ${newestRevision} are`;
    throw new CommandError(`revision ${revision} cannot be restored from these files: ${kept} kept in them`);
  }
}

async function restore(
  source: BackupSource,
  revision: number,
  values: RestoreFlags,
  io: CommandIo,
): Promise<RestoredRecords> {
  const { "data-dir": directory, "bump-revision": bump } = values;
  return directory === undefined
    ? await restoreToEtcd(source, revision, values, io)
    : await restoreToDirectory(source, revision, { directory, bump: bump ?? defaultBump }, io);
}

async function restoreToDirectory(
  source: BackupSource,
  revision: number,
  { directory, bump }: { readonly directory: string; readonly bump: number },
  io: CommandIo,
): Promise<RestoredRecords> {
  const initialRevision = source.newestRevision + bump;
  const restored = await withProgress(io, progressInto(directory), (advance) =>
    restoreDataDirectory({ directory, initialRevision, advance, note: io.printError }, source.liveRecords(revision)),
  );
  io.print(
    `${directory}: ${countText(restored.keys, "key")} as of revision ${revision}, read back and compared; revisions begin at ${initialRevision}`,
  );
  return restored;
}

async function restoreToEtcd(
  source: BackupSource,
  revision: number,
  values: RestoreFlags,
  io: CommandIo,
): Promise<RestoredRecords> {
  const target = await openCommandEtcd(values);
  const { store, prefix, name } = target;
  await using _ = store;
  const filling = {
    records: source.liveRecords(revision),
    newestRevision: source.newestRevision,
    bump: values["bump-revision"],
    replace: values.replace,
    progress: progressInto(name),
  };
  const restored = await fillEtcd(target, filling, io);
  io.print(
    `${name}: ${countText(restored.keys, "key")} under ${prefix} as of revision ${revision}, read back and compared; etcd is at revision ${await store.currentRevision()}`,
  );
  return restored;
}

function progressInto(name: string): ProgressOf {
  return { label: `restoring into ${name}`, unit: "keys, written or read back", total: 0 };
}
