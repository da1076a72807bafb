import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { eventsOfFile } from "@gatehouse/component-base/audit-files";
import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { problemAt } from "@gatehouse/component-base/problems";
import { readPolicyFolder } from "../policies/policy-folder.js";
import { formatReplay } from "../replay/format-replay.js";
import { KnownObjects } from "../replay/known-objects.js";
import { EventReplay } from "../replay/replay-event.js";
import { ReplayReport } from "../replay/replay-report.js";

const group = "Replay";

const flags = defineFlags({
  audit: {
    type: "path",
    group,
    help: "`file` of audit events as JSON lines (audit.k8s.io/v1), packed by gzip or not, or a folder of such files, which are read in the order of their names; - for the standard input.",
  },
  policy: {
    type: "path",
    group,
    help: "`folder` or file with policies, bindings, parameters and perhaps Namespace objects.",
  },
});

/** The command `gatehouse-policy replay`, which puts recorded events to policies. */
export const replayCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-policy replay",
      requiredFlags: ["--audit FILE", "--policy FOLDER"],
      summary:
        "Puts recorded audit events of level Request or RequestResponse to policies, and tells which verdicts would change. Exits with 1 if one would.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { audit, policy } = line.values;
    if (audit === undefined || policy === undefined) {
      const missing = [...(audit === undefined ? ["--audit"] : []), ...(policy === undefined ? ["--policy"] : [])];
      throw new ConfigurationError(
        "flags",
        missing.map((flag) => problemAt(flag, "is required")),
      );
    }
    const folder = await readPolicyFolder(policy);
    if (folder.policies.length === 0) {
      throw new ConfigurationError(policy, [problemAt("--policy", "there is no ValidatingAdmissionPolicy")]);
    }
    const report = new ReplayReport(folder.policies.map(({ name }) => name));
    const replay = new EventReplay(folder, new KnownObjects(folder.objects));
    for (const file of await auditFiles(audit)) {
      for await (const { event } of eventsOfFile(file, io)) {
        report.add(await replay.replay(event));
      }
      io.showProgress?.("");
    }
    io.print(formatReplay(report));
    return report.changed > 0 ? 1 : 0;
  },
};

/** Lists the files of a folder in the order of their names, by which servers order them when they rotate; or the file. */
async function auditFiles(path: string): Promise<readonly string[]> {
  const found = path === "-" ? undefined : await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    return [path];
  }
  const names = (await readdir(path)).filter((name) => /\.(?:log|jsonl|json|ndjson)(?:\.gz)?$/.test(name)).sort();
  if (names.length === 0) {
    throw new ConfigurationError("flags", [problemAt("--audit", `${path} has no file of events (.log, .jsonl, .gz)`)]);
  }
  return names.map((name) => join(path, name));
}
