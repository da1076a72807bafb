import { readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type Command, parseArguments } from "../commands/index.js";
import { ConfigurationError } from "../errors.js";
import { makeFolder } from "../files/index.js";
import { defineFlags } from "../flags/index.js";
import { problemAt } from "../problems/index.js";
import { type NamedPackages, type ProjectPackages, projectPackages } from "./project-packages.js";

/** The projects that a command `init` makes. */
export interface ProjectForm {
  /** The command as it is typed: `gatehouse-admission init`. */
  readonly command: string;
  /** A sentence for the help of the command. */
  readonly summary: string;
  /** Returns what is wrong with the name of a project. */
  readonly validateName: (name: string) => readonly string[];
  readonly packages: NamedPackages;
  /** Returns the texts of the files by path. */
  readonly files: (name: string, packages: ProjectPackages) => ReadonlyMap<string, string>;
}

/** Makes a command `init NAME`, which writes a project into a new folder. */
export function initCommand({ command, summary, validateName, packages, files }: ProjectForm): Command {
  return {
    async run(argv, io) {
      const line = parseArguments({ command, operands: ["NAME"], summary, flags: defineFlags({}) }, argv, io);
      const [operand] = line?.operands ?? [];
      if (line === undefined || operand === undefined) {
        return 0;
      }
      const folder = resolve(operand);
      const name = basename(folder);
      const problems = validateName(name).map((problem) => problemAt("NAME", problem));
      if ((await readdir(folder).catch(() => [])).length > 0) {
        problems.push(problemAt("NAME", `the folder ${operand} is there and not empty`));
      }
      if (problems.length > 0) {
        throw new ConfigurationError("arguments", problems);
      }
      // The folder comes first, so that its errors are reported before anything is packed.
      await makeFolder(folder);
      for (const [path, text] of files(name, await projectPackages(packages, folder, io.env))) {
        const file = join(folder, path);
        await makeFolder(dirname(file));
        await writeFile(file, text);
      }
      io.print(`${operand} is ready:\n  cd ${operand}\n  npm install\n  npm test`);
      return 0;
    },
  };
}
