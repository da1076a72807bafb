import { existsSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Folders that some distributions put further versions into, beside the search path. */
const otherFolders = ["/usr/lib/google-cloud-sdk/bin"];

/** Returns the paths of every kubectl on this machine: `kubectl`, `kubectl.1.27`, ... */
export function findKubectls(): readonly string[] {
  const folders = new Set([...(process.env["PATH"] ?? "").split(delimiter), ...otherFolders]);
  const found = [...folders]
    .filter((folder) => folder !== "" && existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /^kubectl(?:\.\d+\.\d+)?$/.test(name))
        .map((name) => realpathSync(join(folder, name))),
    );
  return [...new Set(found)];
}
