import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { CommandError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { blame, blameTable } from "./blame.js";
import { documentsIn } from "./documents-in.js";
import { kubeconfigFlags, loadKubeconfigOfFlags } from "./kubeconfig-flags.js";
import { refuseFolder } from "./refuse-folder.js";

const flags = defineFlags({
  filename: {
    type: "path",
    shorthand: "f",
    group: "Object",
    help: "`FILE` of YAML or JSON; - reads the standard input.",
  },
  namespace: { type: "string", shorthand: "n", group: "Object", help: "The namespace of objects that name none." },
  ...kubeconfigFlags,
});

/** `kubectl gatehouse blame -f FILE`. */
export const blameCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "kubectl gatehouse blame",
      requiredFlags: ["-f FILE"],
      summary:
        "Shows which plugin or webhook changes which field of an object, and how long each takes, by a dry run. The server must run with --admission-blame.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { filename, namespace } = line.values;
    if (filename === undefined) {
      throw new CommandError("-f FILE is required; kubectl gatehouse blame --help tells more");
    }
    const config = await loadKubeconfigOfFlags(line.values, io.env);
    using client = createHttpClient({ config });
    if (filename !== "-") {
      await refuseFolder(filename);
    }
    const content = filename === "-" ? await text(process.stdin) : await readFile(filename, "utf8");
    for (const object of await objectsIn(filename, content)) {
      const subject = { object, namespace: namespace ?? config.namespace ?? "default" };
      const entries = await blame(client, subject, AbortSignal.timeout(60_000));
      io.print(blameTable(entries).trimEnd());
    }
    return 0;
  },
};

/** Returns all objects of a file. Rejects before the first is asked about, so that half a file never looks like a whole one. */
async function objectsIn(file: string, content: string): Promise<readonly JsonObject[]> {
  const found = (await documentsIn(file, content)).filter(isJsonObject);
  if (found.length === 0) {
    throw new CommandError(`${file} holds no object`);
  }
  return found;
}
