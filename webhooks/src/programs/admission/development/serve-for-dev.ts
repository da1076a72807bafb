// What `gatehouse-admission dev` starts to serve hooks: tells it over the channel between the two when it listens, and
// ends with it, however that ends.
import "@gatehouse/component-base/survive-output-errors";
import { processIo, runCommands } from "@gatehouse/component-base/commands";
import { serve } from "../commands/serve.js";

const parentGone = new AbortController();
process.once("disconnect", () => parentGone.abort());
// It may have gone while this was being loaded.
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
// Hooks that could not be served are nothing to stay for.
process.disconnect?.();

function tellParent(message: string): void {
  // It may go at any moment; that is told by `disconnect`.
  process.send?.(message, undefined, undefined, () => undefined);
}
