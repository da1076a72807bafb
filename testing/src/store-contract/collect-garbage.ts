import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects all garbage, so that memory can be compared whatever the engine has left for later. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  // What the first collection finds unused may hold memory until the second.
  collect();
  collect();
}
