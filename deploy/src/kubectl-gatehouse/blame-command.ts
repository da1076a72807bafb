import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { createHttpClient, loadKubeconfig } from "@gatehouse/component-base";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes";
import { blame, blameTable } from "./blame.js";
import { documentsIn } from "./documents-in.js";
import { kubeconfigPath, type PluginCommand, PluginError } from "./plugin-command.js";

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
    throw new PluginError("-f FILE is required; kubectl gatehouse blame --help tells more");
  }
  const path = kubeconfigPath(values.kubeconfig);
  const config = await loadKubeconfig(path, values.context === undefined ? {} : { context: values.context });
  using client = createHttpClient({ config });
  const content = values.filename === "-" ? await text(process.stdin) : await readFile(values.filename, "utf8");
  const namespace = values.namespace ?? config.namespace ?? "default";
  for (const object of await objectsIn(values.filename, content)) {
    const entries = await blame(client, { object, namespace }, AbortSignal.timeout(60_000));
    process.stdout.write(blameTable(entries));
  }
  return 0;
}

/** All of them, before anything is asked: half a file must not look like a whole one. */
async function objectsIn(file: string, content: string): Promise<readonly JsonObject[]> {
  const found = (await documentsIn(file, content)).filter(isJsonObject);
  if (found.length === 0) {
    throw new PluginError(`${file} holds no object`);
  }
  return found;
}
