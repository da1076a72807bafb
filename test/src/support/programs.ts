import { fileURLToPath } from "node:url";

const fromPackage = (name: string, path: string): string => fileURLToPath(new URL(path, import.meta.resolve(name)));

/** The command `gatehouse`, which `npm start` runs after the build. */
export const gatehouseScript = fromPackage("@gatehouse/deploy", "../bundle/gatehouse.js");

/** The plugin `kubectl gatehouse`. */
export const kubectlPluginScript = fromPackage("@gatehouse/deploy", "../bundle/kubectl-gatehouse.js");

/** The command `gatehouse-apiserver`. */
export const apiserverScript = fromPackage("@gatehouse/server", "../bundle/gatehouse-apiserver.js");

/** The command `gatehouse-credential-certificate`. */
export const certificatePluginScript = fromPackage(
  "@gatehouse/credential-plugins",
  "../bundle/gatehouse-credential-certificate.js",
);
