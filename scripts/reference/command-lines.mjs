// The reference of command lines: the help of every program and of every command that it lists.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Commands that the help of their program tells of in prose. */
const unlisted = { "gatehouse-apiserver": ["check", "etcd"] };

const workspaces = ["apiserver", "server", "deploy", "webhooks", "audit-sink", "credential-plugins"];

/** Returns the page as Markdown. `root` is the folder of the repository, after a build. */
export function commandLineReference(root) {
  const programs = workspaces.flatMap((workspace) => {
    const { bin } = JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8"));
    return Object.entries(bin).map(([name, path]) => ({ name, script: join(root, workspace, path), workspace }));
  });
  const sections = programs.map(({ name, script, workspace }) => {
    const help = helpOf(script);
    const listed = [...(/^Commands:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? "").matchAll(/^ {2}(\S+)/gm)];
    const commands = [...listed.map(([, command]) => command), ...(unlisted[name] ?? [])];
    const parts = commands.map((command) => `### ${name} ${command}\n\n${fenced(helpOf(script, command))}`);
    return `## ${name}\n\nOf the package \`@gatehouse/${workspace}\`.\n\n${[fenced(help), ...parts].join("\n")}`;
  });
  return `# Command lines

The help of every program. Each one also understands \`--version\`, and \`help\` and \`version\` as words.

${sections.join("\n")}`;
}

function helpOf(script, ...argv) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...argv, "--help"], { encoding: "utf8" });
  if (status !== 0) {
    throw new Error(`${script} ${argv.join(" ")} --help ends with ${status}: ${stderr}`);
  }
  return stdout.trimEnd();
}

function fenced(text) {
  return `\`\`\`text\n${text}\n\`\`\`\n`;
}
