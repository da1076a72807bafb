import assert from "node:assert/strict";
import { readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { deflateRawSync } from "node:zlib";
import { BackupError } from "../../errors/errors.js";
import { change, linesAt, linesOf, type TestPlace, testPlace } from "./backup.test.support.js";
import { openChain } from "./backup-chain.js";
import { backupMagic, encodeFrameHead, frameTypes } from "./backup-format.js";
import { type BackupFile, openBackup, recordsOf } from "./backup-reader.js";
import { BackupWriter } from "./backup-writer.js";
import { takeFullBackup, takeIncrement } from "./take-backup.js";

async function refused(work: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof BackupError, String(error));
    assert.match(error.message, message);
    return true;
  });
}

/** A store with a few keys, and a full backup of it. */
async function backedUp(place: TestPlace) {
  const store = await place.open();
  for (const key of ["/a", "/b", "/c"]) {
    await change(store, key, `value of ${key}`);
  }
  const options = { store, prefix: "" };
  return { store, options, full: await takeFullBackup({ ...options, path: place.path("full") }) };
}

function frame(type: number, content: Buffer, stored = content): Buffer {
  return Buffer.concat([encodeFrameHead(type, stored.length, content), stored]);
}

const header = frame(
  frameTypes.header,
  Buffer.from(JSON.stringify({ format: 1, id: "1", kind: "full", startedAt: "now" })),
);

describe("a backup file", () => {
  it("is readable by its owner only, and is the only file that is left", async () => {
    await using place = await testPlace();
    const { full } = await backedUp(place);
    assert.equal((await stat(full.path)).mode & 0o777, 0o600);
    assert.deepEqual((await readdir(place.folder)).sort(), ["data", "full"]);
  });

  it("never replaces another file", async () => {
    await using place = await testPlace();
    const { full, options } = await backedUp(place);
    await refused(takeFullBackup({ ...options, path: full.path }), /exists already; a backup never replaces/);
    const path = place.path("late");
    await using writer = await BackupWriter.create(path, { kind: "full" }, () => {});
    await writer.finish({ revision: 1, damaged: [], damagedKeys: 0 });
    await writeFile(path, "another");
    await refused(writer.publish(), /was made by another program meanwhile/);
    assert.equal(await readFile(path, "utf8"), "another");
  });

  it("that a killed run has left unfinished is removed by the next run, which says so", async () => {
    await using place = await testPlace();
    const { options } = await backedUp(place);
    await writeFile(place.path("new.2147483646.unfinished"), "half");
    await writeFile(place.path(`new.${process.ppid}.unfinished`), "of a run that is at work");
    const notes: string[] = [];
    await takeFullBackup({ ...options, path: place.path("new"), note: (note) => notes.push(note) });
    assert.deepEqual(notes, [
      "new.2147483646.unfinished, which an earlier run has left unfinished, was removed; this backup starts again",
    ]);
    assert.deepEqual((await readdir(place.folder)).sort(), ["data", "full", "new", `new.${process.ppid}.unfinished`]);
  });

  it("is not left behind when something fails while it is made", async () => {
    await using place = await testPlace();
    const { store, options } = await backedUp(place);
    const failing = { ...store, currentRevision: () => 4, range: () => Promise.reject(new Error("lost")) };
    await assert.rejects(
      takeFullBackup({ ...options, store: failing as unknown as typeof store, path: place.path("new") }),
      { message: "lost" },
    );
    assert.deepEqual((await readdir(place.folder)).sort(), ["data", "full"]);
  });

  it("cannot be made in a folder that is not there, and the reason is told", async () => {
    await using place = await testPlace();
    const { options } = await backedUp(place);
    await refused(
      takeFullBackup({ ...options, path: place.path("nowhere/new") }),
      /nowhere\/new cannot be written: there is no such folder$/,
    );
  });

  it("holds values as large as a store takes", async () => {
    await using place = await testPlace();
    const { store, options } = await backedUp(place);
    await change(store, "/large", "x".repeat(3_000_000));
    const { path } = await takeFullBackup({ ...options, path: place.path("large") });
    assert.deepEqual(await linesAt(await openChain([path]), 5), await linesOf(store));
  });

  describe("of an untrusted source", () => {
    let whole: Buffer;
    let place: TestPlace;

    before(async () => {
      place = await testPlace();
      const { full } = await backedUp(place);
      whole = await readFile(full.path);
    });

    after(() => place[Symbol.asyncDispose]());

    const written = async (bytes: Buffer): Promise<string> => {
      const path = place.path("hostile");
      await writeFile(path, bytes);
      return path;
    };

    it("is refused wherever it is cut off", async () => {
      const path = await written(whole);
      for (let length = whole.length - 1; length >= 0; length--) {
        await truncate(path, length);
        await refused(openBackup(path), /hostile: (it ends after \d+ bytes, before its trailer: it is not whole)$/);
      }
    });

    it("is refused whichever byte is another one", async () => {
      for (let position = 0; position < whole.length; position++) {
        const bytes = Buffer.from(whole);
        bytes[position] = (bytes[position] as number) ^ 0x5a;
        await refused(openBackup(await written(bytes)), /hostile: /);
      }
    });

    const forged: readonly [what: string, bytes: () => Buffer, message: RegExp][] = [
      ["bytes follow its end", () => Buffer.concat([whole, Buffer.of(0)]), /bytes follow its end$/],
      ["it is something else", () => Buffer.from("not a backup at all"), /it is no backup$/],
      ["it is empty", () => Buffer.alloc(0), /it is not whole$/],
      [
        "a part claims to be enormous",
        () =>
          Buffer.concat([backupMagic, header, Buffer.from([2, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0])]),
        /a part has an impossible length$/,
      ],
      [
        "a block inflates to more than it says",
        () => {
          const stored = deflateRawSync(Buffer.alloc(50_000_000));
          return Buffer.concat([backupMagic, header, frame(frameTypes.block, Buffer.alloc(1000), stored)]);
        },
        /the checksum is another$/,
      ],
      [
        "a record is longer than its block",
        () => {
          const content = Buffer.alloc(31, 1);
          return Buffer.concat([backupMagic, header, frame(frameTypes.block, content, deflateRawSync(content))]);
        },
        /a block holds something that is no record$/,
      ],
      [
        "its form is a later one",
        () => Buffer.concat([backupMagic, frame(frameTypes.header, Buffer.from('{"format":2}'))]),
        /it has form 2, but this version knows only form 1$/,
      ],
      [
        "its header is no object",
        () => Buffer.concat([backupMagic, frame(frameTypes.header, Buffer.from("7"))]),
        /it does not begin with a header$/,
      ],
      [
        "its trailer has no SHA-256",
        () =>
          Buffer.concat([
            backupMagic,
            header,
            frame(
              frameTypes.trailer,
              Buffer.from('{"revision":1,"puts":0,"deletes":0,"bytes":0,"damaged":[],"damagedKeys":0}'),
            ),
          ]),
        /its trailer cannot be read$/,
      ],
    ];
    for (const [what, bytes, message] of forged) {
      it(`is refused when ${what}`, async () => {
        await refused(openBackup(await written(bytes())), message);
      });
    }

    it("is refused when it changes after it was checked", async () => {
      const path = await written(whole);
      const file = await openBackup(path);
      const other = await takeFullBackup({
        store: await place.open(),
        prefix: "",
        path: place.path("other"),
      });
      await writeFile(path, await readFile(other.path));
      await refused(
        (async () => {
          for await (const _ of recordsOf(file)) {
            // Only the end says that it was whole.
          }
        })(),
        /has been changed since it was checked$/,
      );
    });
  });
});

describe("an increment", () => {
  it("has nothing when nothing has changed, and continues the chain", async () => {
    await using place = await testPlace();
    const { store, options, full } = await backedUp(place);
    const empty = await takeIncrement({ ...options, path: place.path("empty") }, full);
    assert.deepEqual([empty.trailer.puts, empty.trailer.deletes], [0, 0]);
    await change(store, "/a", undefined);
    const next = await takeIncrement({ ...options, path: place.path("next") }, empty);
    assert.deepEqual([next.trailer.puts, next.trailer.deletes, next.trailer.revision], [0, 1, 5]);
    const chain = await openChain([full.path, empty.path, next.path]);
    assert.deepEqual(await linesAt(chain, 5), await linesOf(store));
  });

  it("is refused when the log does not reach back to the backup before", async () => {
    await using place = await testPlace();
    const { store, options, full } = await backedUp(place);
    await change(store, "/a", "new");
    await store.compact(5);
    await refused(
      takeIncrement({ ...options, path: place.path("next") }, full),
      /the changes since .* \(revision 4\) are not kept any more: the log begins at revision 5; take a full backup/,
    );
    assert.deepEqual((await readdir(place.folder)).sort(), ["data", "full"]);
  });

  it("can be taken when all history before the backup has been forgotten", async () => {
    await using place = await testPlace();
    const { store, options, full } = await backedUp(place);
    await store.compact(4);
    await change(store, "/a", "new");
    const next = await takeIncrement({ ...options, path: place.path("next") }, full);
    assert.equal(next.trailer.puts, 1);
  });

  const others: readonly [what: string, keys: readonly string[], message: RegExp][] = [
    ["is not as far as the backup", ["/a"], /the store is at revision 2, before the backup's 4$/],
    ["made the backup's revision differently", ["/a", "/b", "/x", "/c"], /revision 4 .* not a change of "\/c"$/],
  ];
  for (const [what, keys, message] of others) {
    it(`is refused for another store, which ${what}`, async () => {
      await using place = await testPlace();
      const { full } = await backedUp(place);
      const other = await place.open({ directory: place.path("other") });
      for (const key of keys) {
        await change(other, key, "1");
      }
      await refused(takeIncrement({ store: other, prefix: "", path: place.path("next") }, full), message);
    });
  }
});

describe("a chain of backups", () => {
  async function chainFiles(place: TestPlace): Promise<readonly BackupFile[]> {
    const { store, options, full } = await backedUp(place);
    await change(store, "/a", "2");
    const first = await takeIncrement({ ...options, path: place.path("first") }, full);
    await change(store, "/a", "3");
    const second = await takeIncrement({ ...options, path: place.path("second") }, first);
    const branch = await takeIncrement({ ...options, path: place.path("branch") }, full);
    const later = await takeFullBackup({ ...options, path: place.path("later") });
    return [full, first, second, branch, later];
  }

  const wrong: readonly [what: string, names: readonly string[], message: RegExp][] = [
    ["has no full backup", ["first", "second"], /there is no full backup among the files/],
    ["lacks an increment", ["full", "second"], /a backup between .*full and .*second is missing$/],
    ["has two full backups", ["full", "first", "later"], /more than one full backup .*full, .*later/],
    ["has an increment of another chain", ["later", "first"], /a backup between .*later and .*first is missing$/],
    ["has two continuations", ["full", "first", "branch"], /first and .*branch continue the same backup/],
    ["names a file twice", ["full", "first", "first"], /continue the same backup/],
  ];
  for (const [what, names, message] of wrong) {
    it(`is refused when it ${what}`, async () => {
      await using place = await testPlace();
      await chainFiles(place);
      await refused(openChain(names.map((name) => place.path(name))), message);
    });
  }
});
