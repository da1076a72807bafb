import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checkExecutable, machineOf } from "./machine-code.mjs";

const fuse = "FUSE";
const digest = "d".repeat(64);

function elf(machine) {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32BE(0x7f454c46, 0);
  bytes[4] = 2;
  bytes.writeUInt16LE(machine, 18);
  return bytes;
}

function machO(machine) {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32LE(0xfeedfacf, 0);
  bytes.writeUInt32LE(machine, 4);
  return bytes;
}

const executable = (header) => Buffer.concat([header, Buffer.from(`${fuse}:1${digest}`)]);
const check = (platform, bytes, native) => checkExecutable(platform, bytes, { fuse, digest, native });

test("headers tell the system and the processor, as that of the node that runs this does", {
  skip: process.platform === "win32" && "executables of Windows are not read, and none is released",
}, () => {
  assert.deepEqual(machineOf(readFileSync(process.execPath)), { os: process.platform, cpu: process.arch });
  assert.deepEqual(machineOf(elf(183)), { os: "linux", cpu: "arm64" });
  assert.deepEqual(machineOf(machO(0x0100000c)), { os: "darwin", cpu: "arm64" });
  assert.equal(machineOf(Buffer.from("#!/bin/sh\n# no code")), undefined);
});

test("an executable with files and native code of its platform passes", () => {
  check("linux-arm64", executable(elf(183)), [["store.node", elf(183)]]);
  check("darwin-amd64", executable(machO(0x01000007)), [["store.node", machO(0x01000007)]]);
});

for (const { title, bytes, native, message } of [
  {
    title: "an executable of another processor is refused",
    bytes: executable(elf(62)),
    native: [["store.node", elf(183)]],
    message: "linux-arm64: the executable is for linux on x64, not for linux on arm64",
  },
  {
    title: "native code of another system is refused",
    bytes: executable(elf(183)),
    native: [["store.node", machO(0x0100000c)]],
    message: "linux-arm64: store.node is for darwin on arm64, not for linux on arm64",
  },
  {
    title: "an executable without native code is refused",
    bytes: executable(elf(183)),
    native: [],
    message: "linux-arm64: the native part of the store is missing",
  },
  {
    title: "an executable whose fuse has not been flipped is refused",
    bytes: Buffer.concat([elf(183), Buffer.from(`${fuse}:0${digest}`)]),
    native: [["store.node", elf(183)]],
    message: "linux-arm64: Node.js would not look for the blob that the executable carries",
  },
  {
    title: "an executable without its files is refused",
    bytes: Buffer.concat([elf(183), Buffer.from(`${fuse}:1`)]),
    native: [["store.node", elf(183)]],
    message: `linux-arm64: the executable does not carry the files ${digest}`,
  },
]) {
  test(title, () => assert.throws(() => check("linux-arm64", bytes, native), { message }));
}
