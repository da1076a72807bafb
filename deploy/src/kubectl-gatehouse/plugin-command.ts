import { homedir } from "node:os";
import { join } from "node:path";

/** One command of the plugin. */
export interface PluginCommand {
  /** Shown for `--help`. */
  readonly usage: string;
  /** Takes what follows the command's name; resolves to the exit code. What it throws is told in one line. */
  run(argv: readonly string[]): Promise<number>;
}

/** What a command cannot do, in a sentence for whoever asked. */
export class PluginError extends Error {}

/** The kubeconfig that kubectl would use. */
export function kubeconfigPath(given: string | undefined): string {
  return given ?? process.env["KUBECONFIG"]?.split(":")[0] ?? join(homedir(), ".kube", "config");
}
