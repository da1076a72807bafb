import * as projects from "@gatehouse/component-base/projects";
import { validateDns1035Label } from "@gatehouse/envelopes/validation";
import { extensionProject } from "./extension-project.js";

/** The command `gatehouse-extension init NAME`, which writes a new extension API server that passes its own tests. */
export const initCommand = projects.initCommand({
  command: "gatehouse-extension init",
  summary:
    "Writes the project of an extension API server into a new folder of that name: a kind that is stored, one that is computed, and a test of both.",
  // The name becomes that of a Service.
  validateName: validateDns1035Label,
  packages: {
    runtime: ["@gatehouse/apiserver", "@gatehouse/envelopes"],
    development: ["@gatehouse/testing"],
    from: import.meta.url,
  },
  files: extensionProject,
});
