// Lists the packages that executables and images hold, as a bill of materials in CycloneDX's format.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runtimeVersion } from "./fetched.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Returns the bill of `files`, which applicationFiles has listed, as text. `time` is in seconds. */
export function billOfMaterials(files, { version, time }) {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const paths = files.map(({ path }) => path);
  const components = [...packagesOf([...paths, ...bundledSources(paths)])]
    .sort()
    .map((path) => componentOf(path, lock.packages[path]))
    .filter((component) => component !== undefined);
  const node = {
    type: "application",
    "bom-ref": `pkg:generic/node@${runtimeVersion}`,
    name: "node",
    version: runtimeVersion,
  };
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: new Date(time * 1000).toISOString(),
      component: { type: "application", "bom-ref": `gatehouse@${version}`, name: "gatehouse", version },
    },
    components: [{ ...node, purl: node["bom-ref"] }, ...components],
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** Returns the folders of packages, as the lock file names them, that paths lie in. */
export function packagesOf(paths) {
  const folders = paths.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]);
  return new Set(folders.filter((folder) => folder !== undefined));
}

/** Returns the sources that bundles were made of, by their source maps; launchers, which are ours alone, have none. */
function bundledSources(paths) {
  return paths
    .filter((path) => /\/bundle\/[^/]+\.cjs$/.test(path) && existsSync(join(root, `${path}.map`)))
    .flatMap((path) => sourcesOf(JSON.parse(readFileSync(join(root, `${path}.map`), "utf8"))))
    .map((source) => source.replace(/^.*?(?=node_modules\/)/, ""));
}

/** Returns the sources of a source map, or of one that consists of several. */
function sourcesOf({ sources, sections = [] }) {
  return sources ?? sections.flatMap(({ map }) => map.sources);
}

function componentOf(path, entry) {
  if (entry === undefined || entry.link === true) {
    return undefined;
  }
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const purl = `pkg:npm/${name.replace("@", "%40")}@${entry.version}`;
  const [algorithm, digest] = entry.integrity?.split(/-(.*)/s) ?? [];
  return {
    type: "library",
    "bom-ref": path === `node_modules/${name}` ? purl : `${purl}?in=${encodeURIComponent(path)}`,
    name,
    version: entry.version,
    purl,
    ...(entry.license !== undefined && { licenses: [{ license: { name: entry.license } }] }),
    ...(algorithm === "sha512" && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
    }),
  };
}
