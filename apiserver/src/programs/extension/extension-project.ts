import { type ProjectPackages, projectManifest, projectTsconfig } from "@gatehouse/component-base/projects";
import { extensionReadme } from "./extension-readme.js";
import { extensionSources } from "./extension-sources.js";

const scripts = {
  build: "tsc",
  // The shell names the files: a folder means something else in each version of Node.js.
  test: "tsc && node --test dist/*.test.js",
  dev: "tsc && node dist/dev.js",
  start: "tsc && node dist/main.js",
};

/**
 * Returns the files of a new extension API server, by path. `name` is its name, a label by RFC 1035; `packages` are its
 * dependencies on packages of Gatehouse.
 */
export function extensionProject(name: string, packages: ProjectPackages): ReadonlyMap<string, string> {
  const group = `${name}.example.com`;
  return new Map([
    ["package.json", projectManifest(name, scripts, packages)],
    ["tsconfig.json", projectTsconfig],
    ...extensionSources(name, group),
    ["meeting.yaml", meeting(group)],
    // The server keeps objects in data, and the private key of a certificate that it makes in apiserver.local.config.
    // An image is made anew from the sources.
    [".gitignore", "node_modules/\ndist/\ndata/\napiserver.local.config/\ndeploy/image/\n"],
    ["README.md", extensionReadme(name, group)],
  ]);
}

/** Returns a manifest for the first try. */
const meeting = (group: string): string => `apiVersion: ${group}/v1alpha1
kind: Meeting
metadata: {name: standup, namespace: default}
spec: {start: "2030-01-31T09:00:00Z", end: "2030-01-31T09:15:00Z"}
`;
