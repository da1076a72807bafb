import { defineFlags } from "@gatehouse/component-base/flags";
import { ConfigurationError, problemAt } from "@gatehouse/component-base/problems";
import { type LoadedHooks, loadHooks } from "../../../toolkit/config/load-hooks.js";

const group = "Hooks";

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

/** Loads the hooks that the flags name. Throws ConfigurationError when they name none. */
export async function loadHooksOfFlags(values: {
  readonly config: string | undefined;
  readonly module: readonly string[];
}): Promise<LoadedHooks> {
  const loaded = await loadHooks({ configFile: values.config, modules: values.module });
  if (loaded.hooks.length + loaded.converters.length === 0) {
    throw new ConfigurationError("flags", [
      problemAt("--module", "there are no hooks: name modules that export some, here or in the file of --config"),
    ]);
  }
  return loaded;
}
