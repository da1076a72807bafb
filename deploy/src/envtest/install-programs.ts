import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { isSea } from "node:sea";
import { promisify } from "node:util";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import { findProgram } from "../parts/find-program.js";
import { etcdHelp } from "./etcd-help.js";
import { programScript, quoted, scriptMark } from "./program-script.js";

/** Milliseconds that the server may take to print its help. */
const helpMs = 60_000;

/** The programs that have been installed. */
export interface InstalledPrograms {
  /** Path of the kubectl that has been linked; undefined where none has been found. */
  readonly kubectl: string | undefined;
}

/**
 * Writes `kube-apiserver` and `etcd` into a folder, and links the kubectl of `path` beside them. Throws ConfigurationError
 * rather than replacing a program that it has not written itself.
 */
export async function installPrograms(folder: string, path: string): Promise<InstalledPrograms> {
  // An executable holds the server by its name; its files lie in a cache, where they need not stay.
  const server = isSea() ? "gatehouse-apiserver" : await findProgram("@gatehouse/server", "gatehouse-apiserver");
  const { stdout: serverHelp } = await promisify(execFile)(process.execPath, [server, "--help"], { timeout: helpMs });
  // The launcher beside it that begins sooner.
  const launcher = isSea() ? server : server.replace(/\.js$/, ".cjs");
  const command = [process.execPath, launcher].map(quoted).join(" ");
  const scripts = [
    { name: "kube-apiserver", command, help: serverHelp },
    { name: "etcd", command, help: etcdHelp },
  ] as const;
  for (const { name } of scripts) {
    await refuseForeign(join(folder, name));
  }
  await mkdir(folder, { recursive: true });
  for (const script of scripts) {
    await replaceFile(join(folder, script.name), programScript(script));
  }
  return { kubectl: await linkKubectl(folder, path) };
}

async function refuseForeign(file: string): Promise<void> {
  const text = await readFile(file, "latin1").catch(() => undefined);
  if (text !== undefined && !text.includes(scriptMark)) {
    throw new ConfigurationError("arguments", [
      problemAt(file, "is another program; choose an empty folder, or remove it first"),
    ]);
  }
}

/** Replaces a program at once, since a harness may be starting it. */
async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o755 });
  await rename(draft, file);
}

async function linkKubectl(folder: string, path: string): Promise<string | undefined> {
  const target = join(folder, "kubectl");
  for (const place of path.split(delimiter)) {
    const kubectl = join(place, "kubectl");
    if (place === "" || kubectl === target || !(await isExecutable(kubectl))) {
      continue;
    }
    const draft = `${target}.${process.pid}`;
    await rm(draft, { force: true });
    await symlink(kubectl, draft);
    await rename(draft, target);
    return kubectl;
  }
  return undefined;
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
