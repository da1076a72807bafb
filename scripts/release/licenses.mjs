// The licenses that stand beside an executable. Those of the packages of npm are inside, beside their files.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchRuntimeLicense } from "./fetched.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Returns the entries for writeArchive: the license of Gatehouse and the one of Node.js. */
export function licenseEntries() {
  return [
    { name: "LICENSE", source: join(root, "LICENSE") },
    { name: "LICENSE.node", source: fetchRuntimeLicense() },
  ];
}
