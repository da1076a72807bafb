import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { defineFlags } from "@gatehouse/component-base/flags";
import { formatReport, isRefused, reportFlags } from "@gatehouse/component-base/manifests";
import { checkManifests, havePolicies, readManifests } from "../check/check-manifests.js";
import { readPolicyDocuments } from "../policies/read-policy-documents.js";
import { hookFlags, loadHooksOfFlags, policyFlags } from "./hook-flags.js";

const flags = defineFlags({
  ...hookFlags,
  ...policyFlags,
  ...reportFlags,
});

/** The command `gatehouse-admission check DIR`, which puts manifests to hooks and policies before a server sees them. */
export const checkCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission check",
      operands: ["DIR"],
      summary:
        "Puts the manifests in a folder to the hooks, and to the ValidatingAdmissionPolicies and CustomResourceDefinitions among them, for CI. Exits with 1 if one would be refused.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    const [operand] = line?.operands ?? [];
    if (line === undefined || operand === undefined) {
      return 0;
    }
    const policyDocuments = await readPolicyDocuments(line.values.policies);
    const manifests = await readManifests(operand);
    const hasPolicies = policyDocuments.length > 0 || havePolicies(manifests);
    const { hooks, expired } = await loadHooksOfFlags(line.values, hasPolicies);
    for (const exception of expired) {
      io.printError(
        `${line.values.config}: ${exception.path}: expired at ${exception.expired}, so it excepts nothing: ${exception.reason}`,
      );
    }
    const report = await checkManifests({ hooks, policyDocuments }, manifests, operand);
    io.print(formatReport(report, line.values.output));
    return report.checked.some(isRefused) ? 1 : 0;
  },
};
