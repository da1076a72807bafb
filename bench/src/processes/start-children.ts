import type { BareServerOperations } from "../bare/https-server.js";
import type { BareWriterOperations } from "../bare/lmdb-writer.js";
import type { LoadOperations } from "../load/load-generator.js";
import { type Child, startChild } from "./child.js";

export function startLoadGenerator(): Child<LoadOperations> {
  return startChild(new URL("../load/load-generator.js", import.meta.url));
}

export function startBareServer(): Child<BareServerOperations> {
  return startChild(new URL("../bare/https-server.js", import.meta.url));
}

export function startBareWriter(): Child<BareWriterOperations> {
  return startChild(new URL("../bare/lmdb-writer.js", import.meta.url));
}
