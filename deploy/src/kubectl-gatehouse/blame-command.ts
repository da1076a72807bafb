import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { createHttpClient, loadKubeconfig } from "@gatehouse/component-base";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes";
import { parseAllDocuments } from "yaml";
import { blame, blameTable } from "./blame.js";
import { kubeconfigPath, type PluginCommand } from "./plugin-command.js";

const usage = `Shows which plugin or webhook changes which field of an object, and how long each takes, by a dry run.

Usage: kubectl gatehouse blame -f FILE [-n NAMESPACE] [--context NAME] [--kubeconfig FILE]

FILE is YAML or JSON; - reads the standard input. The server must run with --admission-blame.
`;

/** `kubectl gatehouse blame -f FILE`. */
export const blameCommand: PluginCommand = { usage, run };

async function run(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      filename: { type: "string", short: "f" },
      namespace: { type: "string", short: "n" },
      context: { type: "string" },
      kubeconfig: { type: "string" },
    },
  });
  if (values.filename === undefined) {
    process.stderr.write(usage);
    return 1;
  }
  const path = kubeconfigPath(values.kubeconfig);
  const config = await loadKubeconfig(path, values.context === undefined ? {} : { context: values.context });
  using client = createHttpClient({ config });
  const content = values.filename === "-" ? await text(process.stdin) : await readFile(values.filename, "utf8");
  const namespace = values.namespace ?? config.namespace ?? "default";
  for (const document of parseAllDocuments(content)) {
    const object = document.toJS() as JsonValue;
    if (isJsonObject(object)) {
      const entries = await blame(client, { object, namespace }, AbortSignal.timeout(60_000));
      process.stdout.write(blameTable(entries));
    }
  }
  return 0;
}
