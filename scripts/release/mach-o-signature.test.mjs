import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { checkSignature, signMachO } from "./mach-o-signature.mjs";

const sectionAt = 1024;
const textBytes = 0x4000;
const linkEditBytes = 1001;

/** Returns an executable of two segments: code with one section, and the tables for the linker at the end. */
function machO({ firstSectionAt = sectionAt } = {}) {
  const bytes = Buffer.alloc(textBytes + linkEditBytes, 0x5a);
  const commands = 72 + 80 + 72;
  for (const [index, value] of [0xfeedfacf, 0x0100000c, 0, 2, 2, commands, 0, 0].entries()) {
    bytes.writeUInt32LE(value, index * 4);
  }
  writeSegment(bytes, 32, { name: "__TEXT", offset: 0, size: textBytes, sections: 1 });
  bytes.fill(0, 32 + 72, 32 + 72 + 80);
  bytes.writeUInt32LE(firstSectionAt, 32 + 72 + 48);
  writeSegment(bytes, 32 + 72 + 80, { name: "__LINKEDIT", offset: textBytes, size: linkEditBytes, sections: 0 });
  bytes.fill(0, 32 + commands, sectionAt);
  return bytes;
}

function writeSegment(bytes, at, { name, offset, size, sections }) {
  bytes.fill(0, at, at + 72);
  bytes.writeUInt32LE(0x19, at);
  bytes.writeUInt32LE(72 + sections * 80, at + 4);
  bytes.write(name, at + 8, "latin1");
  bytes.writeBigUInt64LE(0x4000n, at + 32);
  bytes.writeBigUInt64LE(BigInt(offset), at + 40);
  bytes.writeBigUInt64LE(BigInt(size), at + 48);
  bytes.writeUInt32LE(sections, at + 64);
}

describe("the signature of an executable for macOS", () => {
  const signed = signMachO(machO(), "gatehouse");
  // The end of the code, rounded up to 16.
  const codeEnd = 17392;

  test("is announced by a load command, and belongs to the last segment", () => {
    assert.equal(signed.readUInt32LE(16), 3);
    const command = 32 + 72 + 80 + 72;
    const size = signed.length - codeEnd;
    assert.deepEqual(
      [0, 4, 8, 12].map((at) => signed.readUInt32LE(command + at)),
      [0x1d, 16, codeEnd, size],
    );
    const linkEdit = 32 + 72 + 80;
    assert.equal(signed.readBigUInt64LE(linkEdit + 48), BigInt(signed.length - textBytes));
    assert.equal(signed.readBigUInt64LE(linkEdit + 32), 0x4000n);
  });

  test("names the executable and holds the digest of each page", () => {
    const directory = signed.subarray(codeEnd + 20);
    assert.equal(directory.readUInt32BE(0), 0xfade0c02);
    assert.equal(directory.toString("latin1", 88, 88 + 10), "gatehouse\0");
    assert.equal(directory.readUInt32BE(28), 5);
    const digest = (from, to) => createHash("sha256").update(signed.subarray(from, to)).digest("hex");
    const digests = directory.subarray(98).toString("hex");
    assert.equal(digests.slice(0, 64), digest(0, 4096));
    assert.equal(digests.slice(-64), digest(4 * 4096, codeEnd));
  });

  test("is found wrong when a byte of the code has changed", () => {
    checkSignature(signed);
    const changed = Buffer.from(signed);
    changed[5000]++;
    assert.throws(() => checkSignature(changed), new Error("the signature has another digest of page 1"));
    assert.throws(() => checkSignature(machO()), new Error("the executable is not signed"));
  });

  test("takes the place of an earlier one", () => {
    const changed = Buffer.from(signed);
    changed[5000]++;
    const again = signMachO(changed, "gatehouse");
    checkSignature(again);
    assert.equal(again.length, signed.length);
  });

  test("is refused for what has no room for it, and for what is no such executable", () => {
    assert.throws(
      () => signMachO(machO({ firstSectionAt: 260 }), "a"),
      new Error("the header has no room for a signature"),
    );
    assert.throws(() => signMachO(Buffer.alloc(64), "a"), new Error("the executable is no Mach-O of 64 bits"));
  });
});
