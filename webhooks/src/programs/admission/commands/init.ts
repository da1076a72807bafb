import { readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type Command, type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import { makeFolder } from "@gatehouse/component-base/files";
import { defineFlags } from "@gatehouse/component-base/flags";
import { ConfigurationError, problemAt } from "@gatehouse/component-base/problems";
import { validateDns1123Label } from "@gatehouse/envelopes/validation";
import { hookProject } from "../scaffold/hook-project.js";
import { isFromRegistry, ownPackages } from "../scaffold/own-packages.js";
import { vendorPackages } from "../scaffold/vendor-packages.js";

/** The command `gatehouse-admission init NAME`, which writes a new hook project that passes its own tests. */
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
    const problems = validateDns1123Label(name).map((problem) => problemAt("NAME", problem));
    if ((await readdir(folder).catch(() => [])).length > 0) {
      problems.push(problemAt("NAME", `the folder ${operand} is there and not empty`));
    }
    if (problems.length > 0) {
      throw new ConfigurationError("arguments", problems);
    }
    // The folder comes first, so that its errors are reported before anything is packed.
    await makeFolder(folder);
    for (const [path, text] of hookProject(name, await packagesFor(folder, io))) {
      const file = join(folder, path);
      await makeFolder(dirname(file));
      await writeFile(file, text);
    }
    io.print(`${operand} is ready:\n  cd ${operand}\n  npm install\n  npm test`);
    return 0;
  },
};

/** Returns the dependencies of a new project on the toolkit: the published version, or else copies in the project. */
async function packagesFor(folder: string, io: CommandIo): Promise<Readonly<Record<string, string>>> {
  const packages = await ownPackages();
  const published = await Promise.all(packages.map(isFromRegistry));
  if (published.includes(false)) {
    return await vendorPackages(packages, folder, io.env);
  }
  return Object.fromEntries(packages.filter(({ isNamed }) => isNamed).map(({ name, version }) => [name, version]));
}
