// Lists what the layer of the images holds: the programs, Node.js, the libraries of Debian that it is linked with, and the
// folders and the user of the processes.
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { systemEntries, withParents } from "../../component-base/dist/images/index.js";
import { fetchDebianPackage, fetchRuntime } from "./fetched.mjs";
import { licenseEntries } from "./licenses.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const packages = ["libc6", "libgcc-s1", "libstdc++6"];

/** Returns the entries of the layer for writeArchive. */
export function imageEntries(platform, files, images) {
  const program = (file) => ({ ...file, name: `usr/lib/gatehouse/${file.path}` });
  const entries = [
    ...files.map(program),
    program({ path: "ask-health.mjs", source: join(root, "deploy/containers/ask-health.mjs") }),
    { name: "usr/local/bin/node", mode: 0o755, source: join(fetchRuntime(platform), "node") },
    ...licenseEntries().map((entry) => ({ ...entry, name: `usr/share/doc/gatehouse/${entry.name}` })),
    ...packages.flatMap((name) => libraryEntries(fetchDebianPackage(name, platform.replace("linux-", "")))),
    ...systemEntries("gatehouse"),
    ...images.flatMap(({ folders, user }) =>
      folders.map((folder) => ({
        name: `${folder.slice(1)}/`,
        directory: true,
        mode: 0o700,
        uid: Number(user.split(":")[0]),
      })),
    ),
  ];
  return withParents(entries);
}

/** Returns the libraries of a package, the loader, and its license. */
function libraryEntries(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ entry, path }) => !entry.isDirectory() && (/\.so(?:\.|$)/.test(entry.name) || /\/copyright$/.test(path)))
    .map(({ entry, path }) => ({
      name: relative(folder, path),
      ...(entry.isSymbolicLink()
        ? { link: readlinkSync(path) }
        : { mode: statSync(path).mode & 0o755, contents: readFileSync(path) }),
    }));
}
