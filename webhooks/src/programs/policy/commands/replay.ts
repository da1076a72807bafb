import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { problemAt } from "@gatehouse/component-base/problems";
import { isSinkNamed, periodFlags, sinkFlags } from "@gatehouse/component-base/sink-client";
import { readPolicyFolder } from "../policies/policy-folder.js";
import { formatReplay } from "../replay/format-replay.js";
import { KnownObjects } from "../replay/known-objects.js";
import { EventReplay } from "../replay/replay-event.js";
import { ReplayReport } from "../replay/replay-report.js";
import { replayedEvents } from "../replay/replayed-events.js";

const group = "Replay";

const { server: _server, ...sinkAccessFlags } = sinkFlags;

const flags = defineFlags({
  audit: {
    type: "path",
    group,
    help: "`file` of audit events as JSON lines (audit.k8s.io/v1), packed by gzip or not, or a folder of such files, which are read in the order of their names; - for the standard input; or the address of an audit sink, such as https://localhost:8447.",
  },
  policy: {
    type: "path",
    group,
    help: "`folder` or file with policies, bindings, parameters and perhaps Namespace objects.",
  },
  ...sinkAccessFlags,
  ...periodFlags,
});

/** The command `gatehouse-policy replay`, which puts recorded events to policies. */
export const replayCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-policy replay",
      requiredFlags: ["--audit FILE|FOLDER|SINK", "--policy FOLDER"],
      summary:
        "Puts recorded audit events of level Request or RequestResponse to policies, and tells which verdicts would change. Exits with 1 if one would.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { audit, policy } = line.values;
    const missing = [
      ...(audit === undefined && !isSinkNamed(line.values, io.env) ? ["--audit"] : []),
      ...(policy === undefined ? ["--policy"] : []),
    ];
    if (policy === undefined || missing.length > 0) {
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
    for await (const event of replayedEvents(audit, line.values, io)) {
      report.add(await replay.replay(event));
    }
    io.print(formatReplay(report));
    return report.changed > 0 ? 1 : 0;
  },
};
