import type { FlagDefinition, FlagTable } from "./flag-definition.js";

/** The parts of `--help` besides the flags. */
export interface HelpOptions {
  /** The program's name as typed, and its subcommand. */
  readonly command: string;
  /** Operands and required flags as the usage line shows them: `DIR`, `--user NAME`. None by default. */
  readonly required?: readonly string[];
  /** Purpose of the program, in a sentence or two. */
  readonly summary: string;
  /** Width of the terminal; text is wrapped to it. 80 when not given. */
  readonly columns?: number;
}

const flagIndent = " ".repeat(6);
const textIndent = " ".repeat(16);

/** The text of `--help` in kube-apiserver's manner: groups, each flag with its type, help wrapped, defaults at the end. */
export function formatHelp(table: FlagTable, options: HelpOptions): string {
  const columns = Math.max(40, Math.min(options.columns ?? 80, 200));
  const usage = [options.command, ...(options.required ?? [])].join(" ");
  const lines = [...wrap(options.summary, columns, ""), "", "Usage:", `  ${usage} [flags]`];
  for (const [group, flags] of groupFlags(table)) {
    lines.push("", `${group[0]?.toUpperCase()}${group.slice(1)} flags:`);
    for (const [name, definition] of flags) {
      lines.push("", ...formatFlag(name, definition, columns));
    }
  }
  lines.push("", "Global flags:");
  lines.push("", "  -h, --help", ...wrap(`help for ${options.command}`, columns, textIndent));
  lines.push("", `${flagIndent}--version`, ...wrap("Print version information and quit", columns, textIndent));
  return `${lines.join("\n")}\n`;
}

function groupFlags(table: FlagTable): ReadonlyMap<string, [string, FlagDefinition][]> {
  const groups = new Map<string, [string, FlagDefinition][]>();
  for (const [name, definition] of Object.entries(table)) {
    const { hidden, unsupported, ignored } = definition;
    if (hidden === true || unsupported !== undefined || ignored !== undefined) {
      continue;
    }
    const flags = groups.get(definition.group) ?? [];
    flags.push([name, definition]);
    groups.set(definition.group, flags);
  }
  return groups;
}

function formatFlag(name: string, definition: FlagDefinition, columns: number): string[] {
  const placeholder = /`([^`]{1,60})`/.exec(definition.help)?.[1] ?? placeholders[definition.type];
  const start = definition.shorthand === undefined ? flagIndent : `  -${definition.shorthand}, `;
  const shownDefault = formatDefault(definition);
  const text = [
    definition.help.replaceAll("`", ""),
    "choices" in definition && definition.choices !== undefined
      ? `Allowed values: ${definition.choices.filter((choice) => choice !== "").join(", ")}.`
      : "",
    shownDefault === "" ? "" : `(default ${shownDefault})`,
    definition.deprecated === undefined ? "" : `(DEPRECATED: ${definition.deprecated})`,
  ];
  return [
    `${start}--${name}${placeholder === "" ? "" : ` ${placeholder}`}`,
    ...wrap(text.filter((part) => part !== "").join(" "), columns, textIndent),
  ];
}

const placeholders: Readonly<Record<FlagDefinition["type"], string>> = {
  string: "string",
  path: "string",
  ip: "ip",
  int: "int",
  float: "float",
  bool: "",
  duration: "duration",
  stringList: "strings",
  keyValue: "mapStringString",
};

/** The default as shown; empty for the zero value of its type, which needs no words. */
function formatDefault(definition: FlagDefinition): string {
  switch (definition.type) {
    case "string":
    case "path":
    case "ip":
      return definition.default === undefined || definition.default === "" ? "" : JSON.stringify(definition.default);
    case "bool":
      return definition.default === true ? "true" : "";
    case "int":
    case "float":
      return definition.default === undefined || definition.default === 0 ? "" : String(definition.default);
    case "duration":
      return definition.default === undefined || /^0s?$/.test(definition.default) ? "" : definition.default;
    case "stringList":
      return definition.default === undefined || definition.default.length === 0
        ? ""
        : `[${definition.default.join(",")}]`;
    case "keyValue": {
      const pairs = Object.entries(definition.default ?? {}).map(([key, value]) => `${key}=${value}`);
      return pairs.length === 0 ? "" : pairs.join(",");
    }
  }
}

function wrap(text: string, columns: number, indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > columns) {
      lines.push(indent + line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return line === "" ? lines : [...lines, indent + line];
}
