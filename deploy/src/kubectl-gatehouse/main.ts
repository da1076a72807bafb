#!/usr/bin/env node
// A kubectl plugin: `kubectl gatehouse blame -f FILE` shows who in admission changes what in an object.
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { ConfigurationError, createHttpClient, formatProblems, loadKubeconfig } from "@gatehouse/component-base";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes";
import { parseAllDocuments } from "yaml";
import { BlameError, blame, blameTable } from "./blame.js";

const usage = `Shows which plugin or webhook changes which field of an object, and how long each takes, by a dry run.

Usage: kubectl gatehouse blame -f FILE [-n NAMESPACE] [--context NAME] [--kubeconfig FILE]

FILE is YAML or JSON; - reads the standard input. The server must run with --admission-blame.
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      filename: { type: "string", short: "f" },
      namespace: { type: "string", short: "n" },
      context: { type: "string" },
      kubeconfig: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    process.stdout.write(usage);
    return 0;
  }
  if (positionals[0] !== "blame" || values.filename === undefined) {
    process.stderr.write(usage);
    return 1;
  }
  const path = values.kubeconfig ?? process.env["KUBECONFIG"]?.split(":")[0] ?? join(homedir(), ".kube", "config");
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

/** What went wrong, in a line. */
function report(error: unknown): void {
  const known = error instanceof BlameError || (error instanceof Error && "code" in error);
  const problem = error instanceof ConfigurationError ? formatProblems(error.problems) : String(error);
  process.stderr.write(`error: ${known && error instanceof Error ? error.message : problem}\n`);
  process.exitCode = 1;
}

main().then((code) => {
  process.exitCode = code;
}, report);
