import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, readdir, realpath } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

/** A kubectl of this machine. */
export interface KubectlBinary {
  readonly path: string;
  /** The version, for example `1.29.14`. */
  readonly version: string;
  readonly minor: number;
}

const run = promisify(execFile);

/** The minor version of the API that is served, whose kubectl is the measure. */
const servedMinor = 29;

/**
 * Returns versions of kubectl that there are: the one on PATH, and those that lie beside it under names such as
 * `kubectl.1.29`. Oldest first, one of each version. `npm test` uses the oldest, the newest and that of the server's own
 * version; with KUBECTLS=others, which the soak sets, the others are returned instead, and with KUBECTLS=every all.
 * Without any on the machine, the tests that need one are skipped; with REQUIRE_PEERS=1, which CI sets, that is a failure.
 */
export async function findKubectls(env: NodeJS.ProcessEnv = process.env): Promise<readonly KubectlBinary[]> {
  const onPath = await findOnPath(env["PATH"] ?? "");
  const paths = onPath === undefined ? [] : [onPath, ...(await versionsBeside(onPath))];
  const found = new Map<string, KubectlBinary>();
  for (const binary of await Promise.all(paths.map(describeBinary))) {
    found.set(binary.version, binary);
  }
  if (found.size === 0 && env["REQUIRE_PEERS"] === "1") {
    throw new Error("REQUIRE_PEERS=1 is set, and there is no kubectl on PATH");
  }
  const all = [...found.values()].sort((a, b) => a.minor - b.minor || (a.version < b.version ? -1 : 1));
  if (env["KUBECTLS"] === "every") {
    return all;
  }
  const chosen = chooseKubectls(all);
  return env["KUBECTLS"] === "others" ? all.filter((kubectl) => !chosen.includes(kubectl)) : chosen;
}

/** Returns the oldest, the newest, and the one of the server's own version. */
export function chooseKubectls(all: readonly KubectlBinary[]): readonly KubectlBinary[] {
  const served = all.findLast(({ minor }) => minor === servedMinor);
  return all.filter((kubectl, index) => index === 0 || index === all.length - 1 || kubectl === served);
}

async function findOnPath(path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    const candidate = join(folder, "kubectl");
    if (folder !== "" && (await isExecutable(candidate))) {
      return candidate;
    }
  }
  return undefined;
}

async function versionsBeside(binary: string): Promise<string[]> {
  const folders = new Set([dirname(binary), dirname(await realpath(binary))]);
  const lists = await Promise.all(
    [...folders].map(async (folder) =>
      (await readdir(folder))
        .filter((name) => /^kubectl[.-]v?1\.\d+(\.\d+)?$/.test(name))
        .map((name) => join(folder, name)),
    ),
  );
  return lists.flat();
}

async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function describeBinary(path: string): Promise<KubectlBinary> {
  const { stdout } = await run(path, ["version", "--client", "--output=json"]);
  const [, version = "", minor = ""] = /"gitVersion":\s*"v(1\.(\d+)[^"]*)"/.exec(stdout) ?? [];
  if (version === "") {
    throw new Error(`${path} does not tell its version: ${stdout}`);
  }
  return { path, version, minor: Number(minor) };
}
