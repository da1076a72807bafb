// The reference of the toolkit for admission hooks: every export of @gatehouse/webhooks with its declaration and its
// documentation comment, from the compiled declarations.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns the page as Markdown. `root` is the folder of the repository, after a build. */
export function toolkitReference(root) {
  const index = join(root, "webhooks/dist/toolkit/index.d.ts");
  const sections = new Map();
  for (const { names, from } of reExportsOf(readFileSync(index, "utf8"))) {
    if (!from.startsWith(".")) {
      continue;
    }
    const concept = from.split("/")[1];
    const file = join(dirname(index), from.replace(/\.js$/, ".d.ts"));
    const entries = sections.get(concept) ?? [];
    entries.push(...names.map((name) => ({ name, ...declarationOf(readFileSync(file, "utf8"), name, file) })));
    sections.set(concept, entries);
  }
  const text = [...sections].map(([concept, entries]) => `## ${concept}\n\n${entries.map(entryText).join("\n")}`);
  return `# The toolkit for admission hooks

Everything that \`@gatehouse/webhooks\` exports, by concept. [Your first hook](../guides/first-hook.md) shows how the parts go
together.

${text.join("\n")}`;
}

function entryText({ name, comment, declaration }) {
  return `### ${name}\n\n${comment}\n\n\`\`\`ts\n${declaration}\n\`\`\`\n`;
}

/** Returns the names that an index exports, by the module that they come from. */
function reExportsOf(text) {
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)";/gm)].map(([, names, from]) => ({
    names: names
      .split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter((name) => name !== ""),
    from,
  }));
}

/** Finds an exported declaration in compiled declarations, which are formatted in one way: what is open ends with `}`. */
function declarationOf(text, name, file) {
  const lines = text.split("\n");
  const isStart = (line) =>
    new RegExp(`^export (?:declare )?(?:abstract )?(?:class|const|function|interface|type) ${name}\\b`).test(line);
  const start = lines.findIndex(isStart);
  if (start < 0) {
    throw new Error(`${file} does not declare ${name}`);
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
