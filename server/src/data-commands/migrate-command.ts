import {
  checkUnchanged,
  compareStores,
  countStore,
  recordsOfStore,
  restoreDataDirectory,
  type StoreState,
} from "@gatehouse/apiserver/storage/backup";
import { type Command, type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import { CommandError } from "@gatehouse/component-base/errors";
import type { FlagValues } from "@gatehouse/component-base/flags";
import { isOpenElsewhere } from "../check-command.js";
import { type ProgressOf, withProgress } from "./command-progress.js";
import { countText } from "./describe.js";
import { fillEtcd } from "./fill-etcd.js";
import { type CommandStore, openCommandEtcd, openDataDirectory } from "./open-command-store.js";
import { dataDirectoryFlag, etcdStoreFlags } from "./store-flags.js";
import { type StoreKind, translatedStore } from "./stored-forms.js";

const group = "Migration";

/** Revisions by which a data directory begins above the etcd it is made from: more than are used while it is copied. */
const directoryBump = 1_000_000;

const form = {
  command: "gatehouse migrate",
  summary:
    "Copies everything from a data directory into etcd, or back, and compares both object by object. The source is left as it is. All servers that use it must have been stopped. Exit code 1: nothing was copied, or the copy is not the same.",
  requiredFlags: ["--to STORE", "--etcd-servers URLS"],
  flags: {
    to: {
      type: "string",
      choices: ["etcd", "data-dir"],
      group,
      help: "The `store` to fill: etcd, whose prefix must be empty, or data-dir, which must be an empty directory.",
    },
    "data-dir": dataDirectoryFlag,
    ...etcdStoreFlags,
    "bump-revision": {
      type: "int",
      min: 0,
      max: 1_000_000_000_000,
      group,
      help: "How far the `revisions` of etcd go on above those of the data directory. etcd reaches them by as many writes, some thousand a second. Without this flag it must be above the data directory already.",
    },
  },
} as const;

type MigrateFlags = FlagValues<typeof form.flags>;

/** `gatehouse migrate`. */
export const migrateCommand: Command = {
  async run(argv, io) {
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { to, "etcd-servers": servers } = line.values;
    if (to === undefined || servers.length === 0) {
      throw new CommandError("--to (etcd or data-dir) and --etcd-servers are required");
    }
    return to === "etcd" ? await migrateToEtcd(line.values, io) : await migrateToDirectory(line.values, io);
  },
};

async function migrateToEtcd(values: MigrateFlags, io: CommandIo): Promise<number> {
  const directory = values["data-dir"];
  if (isOpenElsewhere(directory)) {
    throw new CommandError(`a server has ${directory} open; stop it first`);
  }
  const source = await openDataDirectory(directory);
  await using _ = source.store;
  const target = await openCommandEtcd(values);
  await using __ = target.store;
  const { state, keys } = await readSource({ ...source, prefix: target.prefix }, ["embedded", "shared"], io);
  const filling = {
    records: unchangedRecords(state),
    newestRevision: state.revision,
    bump: values["bump-revision"],
    replace: false,
    progress: copyingInto(target.name, keys),
  };
  await fillEtcd(target, filling, io);
  return await compare(state, target, keys, io);
}

async function migrateToDirectory(values: MigrateFlags, io: CommandIo): Promise<number> {
  const directory = values["data-dir"];
  const source = await openCommandEtcd(values);
  await using _ = source.store;
  const { state, keys } = await readSource(source, ["shared", "embedded"], io);
  const initialRevision = state.revision + directoryBump;
  await withProgress(io, copyingInto(directory, keys), (advance) =>
    restoreDataDirectory({ directory, initialRevision, advance, note: io.printError }, unchangedRecords(state)),
  );
  const target = await openDataDirectory(directory);
  await using __ = target.store;
  return await compare(state, target, keys, io);
}

/**
 * Reads everything once, in the form of the target, before anything is written. Throws CommandError when something cannot
 * be read, or there is nothing.
 */
async function readSource(
  { store, prefix, name }: CommandStore,
  [from, to]: readonly [StoreKind, StoreKind],
  io: CommandIo,
): Promise<{ readonly state: StoreState; readonly keys: number }> {
  const translated = translatedStore(store, prefix, from, to);
  const state = { store: translated, prefix, revision: await store.currentRevision() };
  const { keys, damaged } = await withProgress(io, { label: `reading ${name}`, unit: "keys", total: 0 }, (advance) =>
    countStore(state, { advance }),
  );
  for (const { detail } of damaged) {
    io.printError(detail);
  }
  if (damaged.length > 0) {
    throw new CommandError(`${countText(damaged.length, "key")} of ${name} cannot be read; nothing was copied`);
  }
  if (keys === 0) {
    throw new CommandError(`${name} has no keys under ${prefix}; nothing was copied`);
  }
  return { state, keys };
}

/** Yields the records of a store; throws at their end when it has been written to meanwhile. */
async function* unchangedRecords(state: StoreState): ReturnType<typeof recordsOfStore> {
  yield* recordsOfStore(state);
  await checkUnchanged(state);
}

function copyingInto(name: string, keys: number): ProgressOf {
  return { label: `copying into ${name}`, unit: "keys, written or read back", total: 2 * keys };
}

async function compare(source: StoreState, target: CommandStore, total: number, io: CommandIo): Promise<number> {
  const { store, prefix, name } = target;
  const state = { store, prefix, revision: await store.currentRevision() };
  const { sameKeys, differences, differentKeys } = await withProgress(
    io,
    { label: "comparing", unit: "keys", total },
    (advance) => compareStores(source, state, advance),
  );
  for (const difference of differences) {
    io.printError(difference);
  }
  if (differentKeys > 0) {
    throw new CommandError(`${countText(differentKeys, "key")} of ${name} are not as in the source`);
  }
  io.print(
    `${name}: ${countText(sameKeys, "key")} copied and compared, as of revision ${source.revision} of the source`,
  );
  return 0;
}
