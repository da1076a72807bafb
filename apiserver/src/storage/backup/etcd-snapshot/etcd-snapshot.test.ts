import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { BackupError } from "../../../errors/errors.js";
import { type TestPlace, testPlace } from "../backup.test.support.js";
import { openEtcdSnapshot } from "./etcd-snapshot.js";

const recorded = new URL("../../../../src/storage/backup/etcd-snapshot/testdata/etcd-3.5.10.db.gz", import.meta.url);
const pageBytes = 4096;
const hashBytes = 32;

/** Returns a database with its SHA-256 behind it. */
function sealed(database: Buffer): Buffer {
  return Buffer.concat([database, createHash("sha256").update(database).digest()]);
}

/** Returns the number of a page that is of a kind and has at least so many elements. */
function pageOfKind(database: Buffer, flag: number, elements: number): number {
  for (let page = 2; page * pageBytes < database.length; page++) {
    const at = page * pageBytes;
    const isWhole = database.readBigUInt64LE(at) === BigInt(page) && database.readUInt16LE(at + 8) === flag;
    if (isWhole && database.readUInt16LE(at + 10) >= elements) {
      return page;
    }
  }
  throw new Error(`there is no page with flag ${flag}`);
}

describe("a snapshot of etcd", () => {
  let place: TestPlace;
  let database: Buffer;

  before(async () => {
    place = await testPlace();
    database = gunzipSync(await readFile(recorded)).subarray(0, -hashBytes);
  });
  after(() => place[Symbol.asyncDispose]());

  const opened = async (bytes: Buffer) => {
    const path = place.path("snapshot.db");
    await writeFile(path, bytes);
    return await openEtcdSnapshot(path, { prefix: "/registry/", now: () => 1_000_000 });
  };

  const stateOf = async (bytes: Buffer, revision?: number): Promise<string[]> => {
    const snapshot = await opened(bytes);
    const lines: string[] = [];
    for await (const record of snapshot.liveRecords(revision ?? snapshot.newestRevision)) {
      lines.push(
        `${record.key} ${record.createRevision}/${record.revision} ${record.expiresAtMs} ${record.value.length}`,
      );
    }
    return lines;
  };

  it("is read at its newest revision, with leases counted from now", async () => {
    const lines = await stateOf(sealed(database));
    assert.equal(lines.length, 123);
    assert.deepEqual(lines.slice(-6), [
      "/registry/configmaps/default/119 121/121 0 12",
      "/registry/configmaps/default/8 10/124 0 7",
      "/registry/configmaps/default/large 125/125 0 30000",
      "/registry/events/default/lives 126/126 101000000 12",
      "/registry/b 129/129 0 1",
      "/registry/a 131/131 0 10",
    ]);
  });

  it("is read at an older revision, where a key whose lease is gone has expired", async () => {
    assert.equal((await stateOf(sealed(database), 127)).at(-1), "/registry/events/default/ended 127/127 1 28");
    const { oldestRevision, newestRevision, versions } = await opened(sealed(database));
    assert.deepEqual([oldestRevision, newestRevision], [123, 131]);
    assert.ok(versions > 123);
  });

  const refused: readonly [what: string, change: (bytes: Buffer) => Buffer, message: RegExp][] = [
    ["has no checksum", (bytes) => bytes, /snapshot.db: it has no checksum at its end; make a snapshot with/],
    [
      "has another checksum",
      (bytes) => Buffer.concat([bytes, Buffer.alloc(hashBytes)]),
      /it is damaged: its SHA-256 is not the one at its end$/,
    ],
    ["is empty", () => sealed(Buffer.alloc(0)), /it has no whole meta page/],
    ["is something else", () => sealed(Buffer.alloc(20 * 512, "text")), /it has no whole meta page/],
    ["is truncated", (bytes) => sealed(bytes.subarray(0, 3 * pageBytes)), /it is truncated/],
    [
      "has a branch that leads to itself",
      (bytes) => {
        const page = pageOfKind(bytes, 1, 2);
        bytes.writeBigUInt64LE(BigInt(page), page * pageBytes + 16 + 8);
        return sealed(bytes);
      },
      /its page \d+ is not where a page can be, or in two places$/,
    ],
    [
      "has a page far outside of it",
      (bytes) => {
        bytes.fill(0xff, pageOfKind(bytes, 1, 2) * pageBytes + 24, pageOfKind(bytes, 1, 2) * pageBytes + 32);
        return sealed(bytes);
      },
      /its page \d+ is not where a page can be/,
    ],
    [
      "has a page that claims to be enormous",
      (bytes) => {
        const page = pageOfKind(bytes, 2, 20);
        bytes.writeUInt32LE(0xffffffff, page * pageBytes + 12);
        return sealed(bytes);
      },
      /its page \d+ is damaged$/,
    ],
    [
      "has entries outside of their page",
      (bytes) => {
        const page = pageOfKind(bytes, 2, 20);
        bytes.writeUInt32LE(0x7fffffff, page * pageBytes + 16 + 12);
        return sealed(bytes);
      },
      /page \d+ has an entry outside of it$/,
    ],
    [
      "has more entries than a page has room for",
      (bytes) => {
        const page = pageOfKind(bytes, 2, 20);
        bytes.writeUInt16LE(0xffff, page * pageBytes + 10);
        return sealed(bytes);
      },
      /page \d+ has an entry outside of it$/,
    ],
  ];
  for (const [what, change, message] of refused) {
    it(`is refused when it ${what}`, async () => {
      await assert.rejects(stateOf(change(Buffer.from(database))), (error) => {
        assert.ok(error instanceof BackupError, String(error));
        assert.match(error.message, message);
        return true;
      });
    });
  }

  it("is read when the older of its two meta pages is damaged, and refused when both are", async () => {
    const expected = await stateOf(sealed(database));
    const [first, second] = [0, 1].map((page) => database.readBigUInt64LE(page * pageBytes + 64)) as [bigint, bigint];
    const older = first < second ? 0 : 1;
    const bytes = Buffer.from(database);
    bytes.fill(0, older * pageBytes, (older + 1) * pageBytes);
    assert.deepEqual(await stateOf(sealed(bytes)), expected);
    bytes.fill(0, 0, 2 * pageBytes);
    await assert.rejects(stateOf(sealed(bytes)), /it has no whole meta page/);
  });

  it("is read or refused with a BackupError, and never anything else, whichever bytes are others", async () => {
    let refusals = 0;
    for (let turn = 0; turn < 150; turn++) {
      const bytes = Buffer.from(database);
      const position = (turn * 7919 * 13) % bytes.length;
      bytes.fill((turn * 31) & 0xff, position, position + 1 + (turn % 8));
      await stateOf(sealed(bytes)).catch((error: unknown) => {
        assert.ok(error instanceof BackupError, `byte ${position}: ${(error as Error).stack}`);
        refusals++;
      });
    }
    assert.ok(refusals > 0);
  });
});
