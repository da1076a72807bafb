// Reads the command line of the executable, which holds many programs and takes the place of `node` for those that they
// start: its own path is their process.execPath.
"use strict";
const { basename, join, sep } = require("node:path");

/**
 * Returns the script to run with its arguments, the modules to import before it and flags for V8. A program is chosen by
 * the name by which the executable was called, or by its first argument; otherwise it is `gatehouse`. `programs` are
 * scripts by name, relative to `folder`.
 */
function readCommandLine(argv0, argv, { folder, programs }) {
  const line = readNodeLine(argv);
  if (line.script?.startsWith(folder + sep)) {
    return line;
  }
  const called = basename(argv0);
  const [name, args] =
    called !== "gatehouse" && Object.hasOwn(programs, called)
      ? [called, argv]
      : Object.hasOwn(programs, argv[0] ?? "")
        ? [argv[0], argv.slice(1)]
        : ["gatehouse", argv];
  return { script: join(folder, programs[name]), args, imports: [], v8Flags: [] };
}

/** Reads `[FLAG ...] [--import MODULE] SCRIPT [ARGUMENT ...]`, the form in which programs start each other. */
function readNodeLine(argv) {
  const imports = [];
  const v8Flags = [];
  let i = 0;
  for (; argv[i]?.startsWith("--"); i++) {
    if (argv[i] === "--import") {
      imports.push(argv[++i]);
    } else {
      v8Flags.push(argv[i]);
    }
  }
  return { script: argv[i], args: argv.slice(i + 1), imports, v8Flags };
}

module.exports = { readCommandLine };
