// Reads from headers which machines code is for, to check what this machine cannot run.
import { platforms } from "./platforms.mjs";

const elfMachines = { 62: "x64", 183: "arm64" };
const machOMachines = { 16777223: "x64", 16777228: "arm64" };

/** Returns `{ os, cpu }` of ELF and Mach-O code of 64 bits, by Node's names; undefined for anything else. */
export function machineOf(bytes) {
  if (bytes.length < 20) {
    return undefined;
  }
  if (bytes.readUInt32BE(0) === 0x7f454c46 && bytes[4] === 2) {
    return { os: "linux", cpu: elfMachines[bytes.readUInt16LE(18)] };
  }
  if (bytes.readUInt32LE(0) === 0xfeedfacf) {
    return { os: "darwin", cpu: machOMachines[bytes.readUInt32LE(4)] };
  }
  return undefined;
}

/**
 * Throws unless an executable is for a platform, knows that it carries a blob, and carries `digest`, and unless all native
 * code among its files is for the platform, too. `native` are pairs of a path and its bytes.
 */
export function checkExecutable(platform, executable, { fuse, digest, native }) {
  expectMachine("the executable", executable, platform);
  if (!executable.includes(`${fuse}:1`)) {
    throw new Error(`${platform}: Node.js would not look for the blob that the executable carries`);
  }
  if (!executable.includes(digest)) {
    throw new Error(`${platform}: the executable does not carry the files ${digest}`);
  }
  if (native.length === 0) {
    throw new Error(`${platform}: the native part of the store is missing`);
  }
  for (const [path, bytes] of native) {
    expectMachine(path, bytes, platform);
  }
}

function expectMachine(name, bytes, platform) {
  const { os, cpu } = platforms[platform];
  const machine = machineOf(bytes);
  if (machine?.os !== os || machine.cpu !== cpu) {
    throw new Error(`${platform}: ${name} is for ${machine?.os} on ${machine?.cpu}, not for ${os} on ${cpu}`);
  }
}
