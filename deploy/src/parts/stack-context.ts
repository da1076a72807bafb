import type { DataDir } from "../data-dir.js";
import type { LocalPki } from "../local-pki.js";
import type { Ports } from "../ports.js";

/** The data directory, certificates and ports that all parts of one stack share. */
export interface StackContext {
  readonly dataDir: DataDir;
  readonly pki: LocalPki;
  readonly ports: Ports;
}
