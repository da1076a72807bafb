import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

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
  const source = 'require("node:tls").createSecureContext();';
  const thread = new Worker(source, { eval: true, env: {}, execArgv: [] });
  // Memory may be short. The first context of this thread takes its time then.
  thread.on("error", () => undefined);
  thread.unref();
}
