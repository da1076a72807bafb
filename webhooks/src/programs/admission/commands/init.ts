import * as projects from "@gatehouse/component-base/projects";
import { validateDns1123Label } from "@gatehouse/envelopes/validation";
import { hookProject } from "../scaffold/hook-project.js";
import { namedPackages } from "../scaffold/named-packages.js";

/** The command `gatehouse-admission init NAME`, which writes a new hook project that passes its own tests. */
export const initCommand = projects.initCommand({
  command: "gatehouse-admission init",
  summary: "Writes a hook project into a new folder of that name: a hook, its cases, and what builds and tests them.",
  validateName: validateDns1123Label,
  packages: namedPackages,
  files: hookProject,
});
