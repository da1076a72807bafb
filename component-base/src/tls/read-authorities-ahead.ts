import { availableParallelism } from "node:os";
import { tryThread } from "../concurrency/index.js";

let isAsked = false;

/**
 * Has a thread make a context of TLS. For the first one of a process that has authorities, whichever they are, Node.js reads the
 * 140 that come with it, which takes 20 ms: to be called at the start of a server, before modules are loaded that take longer.
 * Does nothing the second time, nor where there is one core only.
 */
export function readAuthoritiesAhead(): void {
  if (isAsked || availableParallelism() === 1) {
    return;
  }
  isAsked = true;
  tryThread('require("node:tls").createSecureContext();');
}
