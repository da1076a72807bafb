#!/usr/bin/env node
// A kubectl plugin. `kubectl gatehouse blame -f FILE` shows who in admission changes what in an object;
// `kubectl gatehouse roles --from-audit FILE --user NAME` suggests the smallest roles for what a user was seen doing;
// `kubectl gatehouse why VERB RESOURCE` tells which rule allows something, or what came closest.
import "@gatehouse/component-base/survive-output-errors";
import { ConfigurationError, closestName, formatProblems, HttpClientError } from "@gatehouse/component-base";
import { BlameError } from "./blame.js";
import { blameCommand } from "./blame-command.js";
import { type PluginCommand, PluginError } from "./plugin-command.js";
import { rolesCommand } from "./roles-command.js";
import { whyCommand } from "./why-command.js";

const commands: ReadonlyMap<string, PluginCommand> = new Map([
  ["blame", blameCommand],
  ["roles", rolesCommand],
  ["why", whyCommand],
]);

async function main([name = "", ...argv]: readonly string[]): Promise<number> {
  const command = commands.get(name);
  const isHelp = name === "help" || [name, ...argv].some((argument) => argument === "--help" || argument === "-h");
  if (command === undefined && !isHelp && name !== "") {
    const closest = closestName(name, commands.keys());
    const hint = closest === undefined ? "kubectl gatehouse --help lists them" : `did you mean ${closest}?`;
    throw new PluginError(`there is no command ${name}; ${hint}`);
  }
  if (command === undefined || isHelp) {
    const usage = command?.usage ?? [...commands.values()].map((each) => each.usage).join("\n");
    (isHelp ? process.stdout : process.stderr).write(usage);
    return isHelp ? 0 : 1;
  }
  return command.run(argv);
}

/** What went wrong, in a line. */
function report(error: unknown): void {
  process.stderr.write(`error: ${problemOf(error)}\n`);
  process.exitCode = 1;
}

function problemOf(error: unknown): string {
  if (error instanceof ConfigurationError) {
    return formatProblems(error.problems);
  }
  if (error instanceof Error && "code" in error) {
    return "path" in error ? `${String(error.path)} cannot be read (${String(error.code)})` : error.message;
  }
  const isKnown = error instanceof BlameError || error instanceof PluginError || error instanceof HttpClientError;
  return isKnown ? error.message : String(error);
}

main(process.argv.slice(2)).then((code) => {
  if (code !== 0) {
    process.exitCode = code;
  }
}, report);
