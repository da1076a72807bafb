export { initCommand, type ProjectForm } from "./init-command.js";
export { ownPackages } from "./own-packages.js";
export { type PackageFile, productionPackages } from "./production-packages.js";
export { projectManifest, projectTsconfig } from "./project-files.js";
export type { NamedPackages, ProjectPackages } from "./project-packages.js";
export { type RunNpmOptions, runNpm } from "./run-npm.js";
