// The archives of kube-apiserver and etcd for envtest, and the index by which setup-envtest and controller-runtime's
// DownloadBinaryAssets find them. Their archives hold three programs; here a fourth one does the work of all.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { writeArchive } from "../../component-base/dist/images/index.js";
import { licenseEntries } from "./licenses.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The version of Kubernetes that suites ask for. */
export const envtestVersion = "v1.29.0";

/** The folder in the archives that setup-envtest expects. */
const archiveFolder = "controller-tools/envtest";

/** Writes the archive of a platform with its executable. Returns its name and its sha512. */
export async function writeEnvtestArchive(output, platform, executable, time) {
  const name = `envtest-${envtestVersion}-${platform}.tar.gz`;
  const scripts = await envtestScripts();
  const entries = Object.entries(scripts).map(([program, contents]) => ({ name: program, mode: 0o755, contents }));
  entries.push({ name: "gatehouse", mode: 0o755, source: executable }, ...licenseEntries());
  const inFolder = entries.map((entry) => ({ ...entry, name: `${archiveFolder}/${entry.name}` }));
  const { sha512 } = await writeArchive(join(output, name), inFolder, time);
  return { name, sha512 };
}

/** Writes the index of archives that can be downloaded from `downloadUrl`. */
export function writeEnvtestIndex(output, archives, downloadUrl) {
  const base = downloadUrl.replace(/\/?$/, "/");
  const release = Object.fromEntries(
    archives.map(({ name, sha512 }) => [name, { hash: sha512, selfLink: new URL(name, base).href }]),
  );
  writeFileSync(join(output, "envtest-releases.yaml"), stringify({ releases: { [envtestVersion]: release } }));
}

/** Returns the scripts beside the executable by their names. */
async function envtestScripts() {
  const [{ etcdHelp }, { programScript }] = await Promise.all([
    import("../../deploy/dist/envtest/etcd-help.js"),
    import("../../deploy/dist/envtest/program-script.js"),
  ]);
  const server = join(root, "server/bundle/gatehouse-apiserver.js");
  const serverHelp = execFileSync(process.execPath, [server, "--help"], { encoding: "utf8" });
  const script = (name, help) => programScript({ name, help, preparation, command });
  return { "kube-apiserver": script("kube-apiserver", serverHelp), etcd: script("etcd", etcdHelp), kubectl };
}

const command = `"$folder/gatehouse" gatehouse-apiserver`;

/** No process is started for a script that is called by its path, as harnesses do. */
const preparation = `folder=\${0%/*}
[ -x "$folder/gatehouse" ] || folder=$(dirname "$(readlink -f "$0")")
`;

/** The kubectl of the archives: harnesses want the file, few suites call it. */
const kubectl = `#!/bin/sh
# Runs the next kubectl on PATH: this archive holds none.
if [ -z "$GATEHOUSE_IN_KUBECTL" ]; then
  IFS=:
  for folder in $PATH; do
    if [ -x "$folder/kubectl" ] && ! [ "$folder/kubectl" -ef "$0" ]; then
      GATEHOUSE_IN_KUBECTL=1 exec "$folder/kubectl" "$@"
    fi
  done
fi
echo "kubectl: there is no other kubectl on PATH, and this one is none; install kubectl" >&2
exit 127
`;
