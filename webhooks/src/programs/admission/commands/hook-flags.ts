import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { problemAt } from "@gatehouse/component-base/problems";
import { type LoadedHooks, loadHooks } from "../../../toolkit/config/load-hooks.js";

const group = "Hooks";

/** The flag of the commands that evaluate policies beside hooks. */
export const policyFlags = defineFlags({
  policies: {
    type: "stringList",
    group,
    help: "`files` or folders with ValidatingAdmissionPolicies, their bindings, the objects that these take parameters from, and CustomResourceDefinitions.",
  },
});

/** Flags that name the hooks; most commands have them. */
export const hookFlags = defineFlags({
  config: {
    type: "path",
    group,
    help: "`file` of kind AdmissionServerConfiguration (config.gatehouse.dev/v1alpha1): which hooks there are and how strict they are.",
  },
  module: {
    type: "stringList",
    group,
    help: "JavaScript `files` that export `hooks`, and perhaps `converters`.",
  },
});

/** Loads the hooks that the flags name. Throws ConfigurationError when they name none, unless there are policies. */
export async function loadHooksOfFlags(
  values: {
    readonly config: string | undefined;
    readonly module: readonly string[];
  },
  hasPolicies = false,
): Promise<LoadedHooks> {
  const loaded = await loadHooks({ configFile: values.config, modules: values.module });
  if (!hasPolicies) {
    refuseWithoutHooks([...loaded.hooks, ...loaded.converters]);
  }
  return loaded;
}

/** Throws ConfigurationError when there is no hook and no converter. */
export function refuseWithoutHooks(loaded: readonly unknown[]): void {
  if (loaded.length === 0) {
    throw new ConfigurationError("flags", [
      problemAt("--module", "there are no hooks: name modules that export some, here or in the file of --config"),
    ]);
  }
}
