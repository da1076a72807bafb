export { initCommand, type ProjectForm } from "./init-command.js";
export { ownPackages } from "./own-packages.js";
export { projectManifest, projectTsconfig } from "./project-files.js";
export type { NamedPackages, ProjectPackages } from "./project-packages.js";
