import { ok } from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startCommand } from "./running-command.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Workspaces that the toolkit for hooks is made of. */
const toolkit = ["envelopes", "policies", "component-base", "webhooks"];

/** Workspaces that extension API servers are made and tested with. */
export const serverPackages = [
  ...["envelopes", "policies", "component-base", "apiserver", "custom-resources", "server", "testing"],
];

/** The environment of commands in a project of a stranger: this one, with an npm that prints no notices. */
export const npmEnv: NodeJS.ProcessEnv = {
  ...process.env,
  // Node.js would hand the results of a project's own tests to the test that has started it.
  NODE_TEST_CONTEXT: undefined,
  // The authorities by which npm verifies the registry; scripts/test.mjs keeps them from all other processes.
  NODE_EXTRA_CA_CERTS: process.env["REGISTRY_CA_CERTS"] ?? process.env["NODE_EXTRA_CA_CERTS"],
  NPM_CONFIG_UPDATE_NOTIFIER: "false",
  NPM_CONFIG_AUDIT: "false",
  NPM_CONFIG_FUND: "false",
  NPM_CONFIG_PREFER_OFFLINE: "true",
};

/** Runs a shell command in a folder; resolves to its output. Throws AssertionError with that when the command fails. */
export async function runIn(folder: string, command: string): Promise<string> {
  const { code, stdout, stderr } = await startCommand(command, { folder, env: npmEnv }).ended;
  ok(code === 0, `${command}\n${stdout}${stderr}`);
  return stdout;
}

/** Packs workspaces as `npm publish` would, into a new folder; the tarballs are `*.tgz`. */
export async function packToolkit(folder: string, workspaces: readonly string[] = toolkit): Promise<void> {
  await mkdir(folder, { recursive: true });
  const sources = workspaces.map((workspace) => `'${join(root, workspace)}'`);
  await runIn(folder, `npm pack --silent --ignore-scripts ${sources.join(" ")}`);
}

/**
 * Makes a project in a new folder that has installed packed workspaces (the toolkit for hooks by default), and other packages
 * (`express@5`) from the registry that the checkout was installed from. Nothing of the checkout can be found from it.
 */
export async function installToolkit(
  folder: string,
  others: readonly string[] = [],
  workspaces: readonly string[] = toolkit,
): Promise<void> {
  const tarballs = join(folder, "tarballs");
  await packToolkit(tarballs, workspaces);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await runIn(folder, `npm install --ignore-scripts ./tarballs/*.tgz ${others.map((each) => `'${each}'`).join(" ")}`);
}
