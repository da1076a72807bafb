import { type Command, type Progress, parseArguments, progressBar } from "@gatehouse/component-base/commands";
import { defineFlags } from "@gatehouse/component-base/flags";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { kubeconfigFlags, loadKubeconfigOfFlags } from "./kubeconfig-flags.js";
import { rewriteResource } from "./rewrite.js";
import { RewritePosition } from "./rewrite-position.js";
import { resourcesToRewrite } from "./rewrite-resources.js";

const maxShownFailures = 20;

const flags = defineFlags({
  concurrency: {
    type: "int",
    default: 8,
    min: 1,
    max: 64,
    group: "Rewrite",
    help: "How many objects are written side by side.",
  },
  "position-file": {
    type: "path",
    group: "Rewrite",
    help: "`file` that notes how far the rewrite has come: called again after an interruption, it goes on from there. Removed at the end.",
  },
  ...kubeconfigFlags,
});

/** `kubectl gatehouse rewrite RESOURCES`: has the server store objects in their newest form at rest. */
export const rewriteCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "kubectl gatehouse rewrite",
      summary:
        "Has the API server store all objects of resources in their newest form: by the first provider and key of its EncryptionConfiguration. Objects that are in that form already are not written. RESOURCES are names with commas between them, spelled as in that configuration: secrets,deployments.apps, *.apps for a group, *. for the core group, *.* for all.",
      operands: ["RESOURCES"],
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { concurrency, "position-file": file } = line.values;
    const position = await RewritePosition.read(file);
    using client = createHttpClient({ config: await loadKubeconfigOfFlags(line.values, io.env) });
    const resources = await resourcesToRewrite(client, (line.operands[0] as string).split(","));
    let failures = 0;
    for (const resource of resources) {
      if (position.isWholeDone(resource.name)) {
        io.print(`${resource.name}: done before`);
        continue;
      }
      let progress: Progress | undefined;
      const { rewritten, current, gone, failed } = await rewriteResource(resource, {
        client,
        position,
        concurrency,
        signal: io.outputClosed ?? new AbortController().signal,
        onTotal: (_name, total) => {
          progress = progressBar(total, io);
        },
        onDone: (count) => progress?.advance(count),
        onFailure: (name, key, reason) => {
          failures++;
          if (failures <= maxShownFailures) {
            io.printError(`${name} ${key}: ${reason}`);
          }
        },
      });
      io.print(`${resource.name}: ${rewritten} rewritten, ${current} current, ${gone} gone, ${failed} failed`);
    }
    if (failures > maxShownFailures) {
      io.printError(`${failures - maxShownFailures} more failures are not shown`);
    }
    await position.forget();
    return failures === 0 ? 0 : 1;
  },
};
