import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { DataDir } from "./data-dir.js";
import type { LocalPki } from "./local-pki.js";
import { StartError } from "./start-error.js";

/** The script of the API server: the `gatehouse-apiserver` command of the package `@gatehouse/server`. */
export async function findServerScript(): Promise<string> {
  // Not through npm's shims: one process less between us and the server, and signals arrive where they should.
  const entry = fileURLToPath(import.meta.resolve("@gatehouse/server"));
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
    const manifest: unknown = text === undefined ? undefined : JSON.parse(text);
    if (isServerManifest(manifest)) {
      return resolve(folder, manifest.bin["gatehouse-apiserver"]);
    }
  }
  throw new StartError("the package @gatehouse/server has no command gatehouse-apiserver; run npm ci again.");
}

function isServerManifest(manifest: unknown): manifest is { readonly bin: { readonly "gatehouse-apiserver": string } } {
  if (typeof manifest !== "object" || manifest === null || !("bin" in manifest)) {
    return false;
  }
  const { bin } = manifest;
  return typeof bin === "object" && bin !== null && "gatehouse-apiserver" in bin;
}

/** The flags with which the stack starts its API server. */
export function serverFlags(dataDir: DataDir, pki: LocalPki, port: number): string[] {
  return [
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    `--cert-dir=${dataDir.pki}`,
    `--tls-cert-file=${pki.serverCertFile}`,
    `--tls-private-key-file=${pki.serverKeyFile}`,
    `--client-ca-file=${pki.caFile}`,
    `--data-dir=${dataDir.store}`,
    "--authorization-mode=AlwaysAllow",
    "--allow-privileged=true",
  ];
}
