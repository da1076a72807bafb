import type { AppendServerOperations } from "../bare/append-server.js";
import type { BareServerOperations } from "../bare/bare-operations.js";
import type { CreateServerOperations } from "../bare/create-server.js";
import type { BareEtcdWriterOperations } from "../bare/etcd-writer.js";
import type { HookServerOperations } from "../bare/hook-server.js";
import type { BareWriterOperations } from "../bare/lmdb-writer.js";
import type { LatencyProbeOperations } from "../load/latency-probe.js";
import type { LoadOperations } from "../load/load-generator.js";
import type { Protocol } from "../load/open-load-connection.js";
import { type Child, startChild } from "./child.js";

export function startLoadGenerator(): Child<LoadOperations> {
  return startChild(new URL("../load/load-generator.js", import.meta.url));
}

export function startLatencyProbe(): Child<LatencyProbeOperations> {
  return startChild(new URL("../load/latency-probe.js", import.meta.url));
}

export function startBareServer(protocol: Protocol): Child<BareServerOperations> {
  const module = protocol === "HTTP/2" ? "../bare/http2-server.js" : "../bare/https-server.js";
  return startChild(new URL(module, import.meta.url));
}

export function startHookServer(): Child<HookServerOperations> {
  return startChild(new URL("../bare/hook-server.js", import.meta.url));
}

export function startBareWriter(): Child<BareWriterOperations> {
  return startChild(new URL("../bare/lmdb-writer.js", import.meta.url));
}

export function startBareEtcdWriter(): Child<BareEtcdWriterOperations> {
  return startChild(new URL("../bare/etcd-writer.js", import.meta.url));
}

/** The bare server for reviews: it reads and parses bodies. */
export function startBareReviewServer(): Child<BareServerOperations> {
  return startChild(new URL("../bare/review-server.js", import.meta.url));
}

/** The bare server for batches of events: it parses bodies and makes them durable. */
export function startBareAppendServer(): Child<AppendServerOperations> {
  return startChild(new URL("../bare/append-server.js", import.meta.url));
}

/** The bare server for creates: it parses, stamps, stores and answers. */
export function startBareCreateServer(): Child<CreateServerOperations> {
  return startChild(new URL("../bare/create-server.js", import.meta.url));
}
