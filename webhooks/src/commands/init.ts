import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type Command, ConfigurationError, defineFlags, parseArguments, problemAt } from "@gatehouse/component-base";
import { checkDns1123Label } from "@gatehouse/envelopes";
import { hookProject } from "../scaffold/hook-project.js";
import { ownPackages } from "../scaffold/own-packages.js";

/** `gatehouse-admission init NAME`: a new hook project that passes its own tests. */
export const initCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission init",
      operands: ["NAME"],
      summary:
        "Writes a hook project into a new folder of that name: a hook, its cases, and what builds and tests them.",
      flags: defineFlags({}),
    };
    const line = parseArguments(form, argv, io);
    const [operand] = line?.operands ?? [];
    if (line === undefined || operand === undefined) {
      return 0;
    }
    const folder = resolve(operand);
    const name = basename(folder);
    const problems = checkDns1123Label(name).map((problem) => problemAt("NAME", problem));
    if ((await readdir(folder).catch(() => [])).length > 0) {
      problems.push(problemAt("NAME", `the folder ${operand} is there and not empty`));
    }
    if (problems.length > 0) {
      throw new ConfigurationError("arguments", problems);
    }
    for (const [path, text] of hookProject(name, await ownPackages())) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    io.print(`${operand} is ready:\n  cd ${operand}\n  npm install\n  npm test`);
    return 0;
  },
};
