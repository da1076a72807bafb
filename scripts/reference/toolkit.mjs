// The reference of the toolkit for admission hooks: every export of each entry point of @gatehouse/webhooks with its
// declaration and its documentation comment, from the compiled declarations.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns the page as Markdown. `root` is the folder of the repository, after a build. */
export function toolkitReference(root) {
  const { name, exports } = readManifest(root, "@gatehouse/webhooks");
  const sections = Object.keys(exports).map((path) => {
    const specifier = name + path.slice(1);
    return `## ${specifier}\n\n${entryPointText(root, fileOf(root, specifier))}`;
  });
  return `# The toolkit for admission hooks

Everything that \`${name}\` exports, by the specifier to import it from. [Your first hook](../guides/first-hook.md) shows how the
parts go together.

${sections.join("\n")}`;
}

function entryPointText(root, file) {
  const text = readFileSync(file, "utf8");
  const exported = reExportsOf(text);
  if (exported.length === 0) {
    // Constants of one shape, whose comments tell all about them.
    const names = [...text.matchAll(/^export declare const (\w+):/gm)].map(([, name]) => name);
    return names.map((name) => `- \`${name}\`: ${declarationOf(text, name).comment}\n`).join("");
  }
  return exported
    .flatMap(({ names, from }) => names.map((name) => entryText(name, findDeclaration(root, file, from, name))))
    .join("\n");
}

/** Finds the declaration of a name that `file` exports from another module, through modules that pass it on. */
function findDeclaration(root, file, from, name) {
  const target = from.startsWith(".") ? join(dirname(file), from.replace(/\.js$/, ".d.ts")) : fileOf(root, from);
  const text = readFileSync(target, "utf8");
  const declaration = declarationOf(text, name);
  if (declaration !== undefined) {
    return declaration;
  }
  const next = reExportsOf(text).find(({ names }) => names.includes(name));
  if (next === undefined) {
    throw new Error(`${target} does not declare ${name}`);
  }
  return findDeclaration(root, target, next.from, name);
}

/** Returns the path of the declarations of an entry point of one of our packages. */
function fileOf(root, specifier) {
  const [scope, name, ...rest] = specifier.split("/");
  const { folder, exports } = readManifest(root, `${scope}/${name}`);
  return join(folder, exports[[".", ...rest].join("/")].types);
}

function readManifest(root, name) {
  const folder = join(root, "node_modules", name);
  return { folder, ...JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) };
}

function entryText(name, { comment, declaration }) {
  return `### ${name}\n\n${comment}\n\n\`\`\`ts\n${declaration}\n\`\`\`\n`;
}

/** Returns the names that a module exports from others, by the module that they come from. */
function reExportsOf(text) {
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)";/gm)].map(([, names, from]) => ({
    names: names
      .split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter((name) => name !== ""),
    from,
  }));
}

/**
 * Finds an exported declaration in compiled declarations, which are formatted in one way: what is open ends with `}`.
 * Returns undefined when there is none of that name.
 */
function declarationOf(text, name) {
  const lines = text.split("\n");
  const isStart = (line) =>
    new RegExp(`^export (?:declare )?(?:abstract )?(?:class|const|function|interface|type) ${name}\\b`).test(line);
  const start = lines.findIndex(isStart);
  if (start < 0) {
    return undefined;
  }
  // Overloads stand below each other.
  let end = start;
  while (!isComplete(lines.slice(start, end + 1).join("\n")) || isStart(lines[end + 1] ?? "")) {
    end++;
  }
  return {
    comment: commentBefore(lines, start),
    declaration: lines
      .slice(start, end + 1)
      .join("\n")
      .replaceAll(/^export (?:declare )?/gm, ""),
  };
}

function isComplete(declaration) {
  const code = declaration.replaceAll(/\/\*\*[\s\S]*?\*\//g, "").replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const opened = (code.match(/[{(]/g) ?? []).length;
  const closed = (code.match(/[})]/g) ?? []).length;
  return opened === closed && /[;}]\s*$/.test(code);
}

function commentBefore(lines, start) {
  if (!lines[start - 1]?.trimEnd().endsWith("*/")) {
    return "";
  }
  let first = start - 1;
  while (!lines[first].trimStart().startsWith("/**")) {
    first--;
  }
  const text = lines
    .slice(first, start)
    .map((line) => line.replace(/^\s*\/?\*+\/? ?/, "").replace(/\s*\*\/\s*$/, ""))
    .join("\n")
    .trim();
  const [description, ...examples] = text.split(/^@example\s*$/m);
  return [description.trim(), ...examples.map((code) => `\`\`\`ts\n${code.trim()}\n\`\`\``)].join("\n\n");
}
