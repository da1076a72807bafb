import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

/** Returns a name for a server that no other has, and none had before; the host is in it for people. */
export function serverIdentity(): string {
  return `${hostname()}_${randomUUID()}`;
}
