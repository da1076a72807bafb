import type { Cluster } from "@gatehouse/component-base/cluster";
import { type Command, type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import { defineFlags } from "@gatehouse/component-base/flags";
import { encodeYaml } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { openCluster } from "../../../toolkit/cluster/open-cluster.js";
import { readPolicyDocuments } from "../policies/read-policy-documents.js";
import { policyReports, reportName, staleReports } from "../scan/policy-reports.js";
import { scanCluster } from "../scan/scan-cluster.js";
import { hookFlags, loadHooksOfFlags, policyFlags } from "./hook-flags.js";

const group = "Scan";

const flags = defineFlags({
  ...hookFlags,
  ...policyFlags,
  kubeconfig: { type: "path", group, help: "kubeconfig `file` of the cluster. Default: KUBECONFIG." },
  name: { type: "string", default: "gatehouse-admission", group, help: "Name of the report `objects`." },
  apply: {
    type: "bool",
    group,
    help: "Apply the reports to the cluster, which must have the definitions of PolicyReport and ClusterPolicyReport, in place of printing them. Reports of an earlier scan that have nothing to report any more are removed.",
  },
});

/** The command `gatehouse-admission scan`, which puts the stored objects of a cluster to hooks and policies. */
export const scanCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission scan",
      summary:
        "Puts the objects of a cluster to the hooks, and to ValidatingAdmissionPolicies and CustomResourceDefinitions in files, and reports in PolicyReport objects (wgpolicyk8s.io/v1alpha2). Exits with 1 if one would be refused or a hook fails.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { values } = line;
    const policyDocuments = (await readPolicyDocuments(values.policies)).map(({ content }) => content);
    const { hooks } = await loadHooksOfFlags(values, policyDocuments.length > 0);
    using cluster = await openCluster({ kubeconfigFile: values.kubeconfig, env: io.env });
    const skipped = (what: string): void => io.printError(`left out: ${what}`);
    const { signal } = new AbortController();
    const results = await scanCluster(cluster, { hooks, policyDocuments }, skipped, signal);
    const reports = policyReports(results, values.name, new Date());
    if (reports.length === 0) {
      io.printError("nothing to report: no stored object concerns the hooks");
    }
    if (values.apply) {
      await replaceReports(cluster, reports, await staleReports(cluster, values.name, reports, signal), io);
    } else if (reports.length > 0) {
      io.print(
        reports
          .map((report) => encodeYaml(report))
          .join("---\n")
          .trimEnd(),
      );
    }
    return results.some(({ result }) => result === "fail" || result === "error") ? 1 : 0;
  },
};

async function replaceReports(
  cluster: Cluster,
  reports: readonly JsonObject[],
  stale: readonly JsonObject[],
  io: CommandIo,
): Promise<void> {
  for (const report of reports) {
    await cluster.apply(report);
    io.print(`${reportName(report)} applied`);
  }
  for (const report of stale) {
    if (await cluster.remove(report)) {
      io.print(`${reportName(report)} removed: nothing to report any more`);
    }
  }
}
