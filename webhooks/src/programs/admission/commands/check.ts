import type { Command } from "@gatehouse/component-base/commands";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { type Inputs, manifestCheckCommand } from "@gatehouse/component-base/manifest-check";
import { DocumentError, type ManifestReport } from "@gatehouse/component-base/manifests";
import { expiredText } from "../../../toolkit/config/expired-exceptions.js";
import { type LoadedHooks, loadHooks } from "../../../toolkit/config/load-hooks.js";
import { checkManifests } from "../check/check-manifests.js";
import { isPolicyOrDefinition, readPolicyDocuments } from "../policies/read-policy-documents.js";
import { hookFlags, policyFlags, refuseWithoutHooks } from "./hook-flags.js";

const flags = defineFlags({
  ...hookFlags,
  ...policyFlags,
});

/** The command `gatehouse-admission check PATH...`, which puts manifests to hooks and policies before a server sees them. */
export const checkCommand: Command = manifestCheckCommand({
  command: "gatehouse-admission check",
  summary:
    "Puts manifests in files, folders, and - for standard input, to the hooks, and to the ValidatingAdmissionPolicies and CustomResourceDefinitions among them.",
  flags,
  async loadJudge(values, io) {
    const loaded = await loadHooks({ configFile: values.config, modules: values.module });
    for (const exception of loaded.expired) {
      io.printError(expiredText(values.config, exception));
    }
    return async (inputs) => await judge(inputs, values, loaded);
  },
});

async function judge(
  inputs: Inputs,
  values: FlagValues<typeof flags>,
  { hooks, converters }: LoadedHooks,
): Promise<ManifestReport> {
  const policyDocuments = await readPolicyDocuments(values.policies);
  if (policyDocuments.length === 0 && !inputs.documents.some(isOwnPolicy)) {
    refuseWithoutHooks([...hooks, ...converters]);
  }
  return await checkManifests({ hooks, policyDocuments }, inputs);
}

/** Reports whether a manifest is a policy or a definition, by which others can be checked without hooks. */
function isOwnPolicy(document: Inputs["documents"][number]): boolean {
  return !(document instanceof DocumentError) && isPolicyOrDefinition(document.content);
}
