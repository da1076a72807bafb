import { type Command, defineFlags, parseArguments } from "@gatehouse/component-base";
import { encodeYaml, type JsonObject } from "@gatehouse/envelopes";
import { openCluster } from "../cluster/open-cluster.js";
import { policyReports } from "../scan/policy-reports.js";
import { scanCluster } from "../scan/scan-cluster.js";
import { hookFlags, loadHooksOfFlags } from "./hook-flags.js";

const group = "Scan";

const flags = defineFlags({
  ...hookFlags,
  kubeconfig: { type: "path", group, help: "kubeconfig `file` of the cluster. Default: KUBECONFIG." },
  name: { type: "string", default: "gatehouse-admission", group, help: "Name of the report `objects`." },
  apply: {
    type: "bool",
    group,
    help: "Apply the reports to the cluster, which must have the definitions of PolicyReport and ClusterPolicyReport, in place of printing them.",
  },
});

/** `gatehouse-admission scan`: what the hooks would say of what is stored already. */
export const scanCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission scan",
      summary:
        "Puts the objects of a cluster to the hooks, and reports in PolicyReport objects (wgpolicyk8s.io/v1alpha2). Exits with 1 if one would be refused or a hook fails.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { values } = line;
    const { hooks } = await loadHooksOfFlags(values);
    using cluster = await openCluster({ kubeconfigFile: values.kubeconfig, env: io.env });
    const skipped = (what: string): void => io.printError(`left out: ${what}`);
    const results = await scanCluster(cluster, hooks, skipped, new AbortController().signal);
    const reports = policyReports(results, values.name, new Date());
    if (reports.length === 0) {
      io.printError("nothing to report: no stored object concerns the hooks");
    } else if (values.apply) {
      for (const report of reports) {
        await cluster.apply(report);
        const { name, namespace } = report["metadata"] as JsonObject;
        io.print(`${report["kind"]} ${namespace === undefined ? "" : `${namespace}/`}${name} applied`);
      }
    } else {
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
