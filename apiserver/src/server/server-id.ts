import { createHash } from "node:crypto";
import { hostname } from "node:os";

/** The part of a cluster that this is, for the hash. */
const component = "kube-apiserver";

/** Returns the identity of the API server of this machine, as v1.29 makes it of the name of the host. */
export function serverId(host: string = hostname()): string {
  const hash = createHash("sha256");
  for (const text of [host, component]) {
    const bytes = Buffer.from(text);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    hash.update(length).update(bytes);
  }
  return `apiserver-${base32(hash.digest().subarray(0, 16))}`;
}

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

function base32(bytes: Buffer): string {
  let bits = "";
  for (const byte of bytes) {
    bits += byte.toString(2).padStart(8, "0");
  }
  return (bits.match(/.{1,5}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}
