// A plugin of esbuild that imports from the module that declares a name, where the source imports it from an index of its
// package. esbuild puts all that an index leads to into each program, and into each part that is loaded on demand, which
// takes one name from it: an etcd of the pair for tests loaded the descriptions of all kinds to read a boolean flag.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Blanks and comments before a statement. */
const gap = /(?<before>(?:\s|\/\/.*|\/\*[\s\S]*?\*\/|^#!.*)*)/.source;
/** An import of names, and an export of names of another module. */
const byName = /(?<verb>import|export) \{(?<names>[^}]*)\} from "(?<from>[^"]+)";/.source;
/** The other statements that name a module. */
const otherwise = /(?:import|export) (?:(?:[\w$]+|\*|\* as [\w$]+)(?:, \{[^}]*\})? from )?"[^"]+";/.source;
const statement = new RegExp(`${gap}(?:${byName}|${otherwise})`, "gy");

/**
 * Makes the plugin. `workspaces` has the folder and the manifest of each package by its name. What is imported from one of `external` is left alone. Paths of
 * the indexes that were read are added to `read`: the bundle depends on them, though esbuild loads none.
 */
export function directImports(workspaces, external, read) {
  const indexes = new Map();

  return {
    name: "direct-imports",
    setup({ onLoad }) {
      onLoad({ filter: /\/dist\/.*\.js$/ }, ({ path }) =>
        // Other packages may do something when they are loaded.
        path.includes("/node_modules/") ? undefined : { contents: rewrite(path), loader: "js" },
      );
    },
  };

  function rewrite(path) {
    return readFileSync(path, "utf8").replace(statement, (text, before, verb, names, from) => {
      const direct = verb === "import" ? directImport(path, from, names) : undefined;
      return direct === undefined ? text : before + direct;
    });
  }

  /** Returns the statements that bring the names from where they are declared, in as many lines; undefined if it cannot. */
  function directImport(path, from, names) {
    const index = resolvePath(path, from);
    if (index === undefined || exportsOf(index) === undefined) {
      return undefined;
    }
    const imports = namesOf(names).map(([name, local]) => {
      const { path: module, name: declared } = declarationOf(index, name);
      return `import { ${declared} as ${local} } from ${JSON.stringify(module)};`;
    });
    return imports.join(" ") + names.replace(/[^\n]/g, "");
  }

  function declarationOf(index, name) {
    const passedOn = exportsOf(index)?.get(name);
    return passedOn === undefined ? { path: index, name } : declarationOf(passedOn.path, passedOn.name);
  }

  /** Returns what a module passes on by name, if it does nothing else. */
  function exportsOf(path) {
    if (!path.endsWith("/index.js")) {
      return undefined;
    }
    if (!indexes.has(path)) {
      indexes.set(path, readIndex(path));
      read.add(path);
    }
    return indexes.get(path);
  }

  function readIndex(path) {
    const source = readFileSync(path, "utf8");
    const statements = [...source.matchAll(statement)].map(({ groups }) => groups);
    const rest = source.replace(statement, "").replace(/\/\/.*/g, "");
    if (rest.trim() !== "" || statements.some(({ verb }) => verb !== "export")) {
      return undefined;
    }
    const passedOn = new Map();
    for (const { names, from } of statements) {
      const module = resolvePath(path, from);
      for (const [name, exported] of namesOf(names)) {
        if (module !== undefined) {
          passedOn.set(exported, { path: module, name });
        }
      }
    }
    return passedOn;
  }

  /** Returns the path of a module of this repository that is bundled; undefined for others. */
  function resolvePath(importer, from) {
    if (from.startsWith(".")) {
      return resolve(dirname(importer), from);
    }
    const [scope, name, ...rest] = from.split("/");
    const workspace = workspaces.get(`${scope}/${name}`);
    if (workspace === undefined || external.some((each) => from === each || from.startsWith(`${each}/`))) {
      return undefined;
    }
    const target = workspace.manifest.exports?.[["."].concat(rest).join("/")]?.default;
    return target === undefined ? undefined : join(workspace.folder, target);
  }
}

/** Returns the pairs of a list of names: the name in the module, and the one that it gets. */
function namesOf(list) {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .map((each) => {
      const [name, other = name] = each.split(/\s+as\s+/);
      return [name, other];
    });
}
