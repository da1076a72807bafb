// The process that `gatehouse-admission dev` starts to serve hooks. It sends a message to `dev` when it listens, and ends with
// it, however that ends.
import "@gatehouse/component-base/survive-output-errors";
import { processIo, runCommands } from "@gatehouse/component-base/commands";
import { serve } from "../commands/serve.js";

const parentGone = new AbortController();
process.once("disconnect", () => parentGone.abort());
// `dev` may have ended while this module was being loaded.
if (!process.connected) {
  parentGone.abort();
}
const command = {
  run: (argv: readonly string[], io: ReturnType<typeof processIo>) =>
    serve(argv, io, { onListening: () => tellParent("listening"), stop: parentGone.signal }),
};
process.exitCode = await runCommands(
  { name: "gatehouse-admission", commands: [{ name: "serve", summary: "", load: async () => command }] },
  ["serve", ...process.argv.slice(2)],
  processIo(),
);
// Without hooks to serve there is no reason to go on.
process.disconnect?.();

function tellParent(message: string): void {
  // `dev` may end at any moment; `disconnect` reports that.
  process.send?.(message, undefined, undefined, () => undefined);
}
