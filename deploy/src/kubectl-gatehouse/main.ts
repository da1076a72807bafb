#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { processIo, runCommands } from "@gatehouse/component-base/commands";

/** The kubectl plugin `kubectl gatehouse`: explains what an API server does with objects and requests, and has objects rewritten. */
const program = {
  name: "kubectl gatehouse",
  commands: [
    {
      name: "blame",
      summary: "Show which plugin or webhook changes which field of an object, by a dry run.",
      load: async () => (await import("./blame-command.js")).blameCommand,
    },
    {
      name: "rewrite",
      summary: "Have all objects stored by the newest key of the server's EncryptionConfiguration.",
      load: async () => (await import("./rewrite-command.js")).rewriteCommand,
    },
    {
      name: "roles",
      summary: "Suggest the smallest RBAC roles for what a user was seen doing.",
      load: async () => (await import("./roles-command.js")).rolesCommand,
    },
    {
      name: "why",
      summary: "Tell which rule allows a request, or what came closest.",
      load: async () => (await import("./why-command.js")).whyCommand,
    },
  ],
};

async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runCommands(program, argv, processIo());
}

void main(process.argv.slice(2));
