import type { DataDir } from "../data-dir.js";
import type { LocalPki } from "../local-pki.js";
import type { Ports } from "../ports.js";

/** What the parts of one stack have in common. */
export interface StackContext {
  readonly dataDir: DataDir;
  readonly pki: LocalPki;
  readonly ports: Ports;
}
