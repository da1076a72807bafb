import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type DocumentedExample, examplesOf } from "../support/documented-examples.js";
import { comparable, stepsOf } from "../support/documented-steps.js";
import { type CommandResult, type RunningCommand, startCommand } from "../support/running-command.js";

// The examples of all READMEs of workspaces are compiled in one project, which finds packages as a user's project does.
const root = fileURLToPath(new URL("../../..", import.meta.url));
const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { workspaces: string[] };
const readmes = workspaces
  // Those of examples describe a project that is run by a test of its own.
  .filter((workspace) => !workspace.startsWith("examples/"))
  .map((workspace) => ({ workspace, path: join(root, workspace, "README.md") }))
  .filter(({ path }) => existsSync(path))
  .map(({ workspace, path }) => ({ workspace, markdown: readFileSync(path, "utf8") }));

let project = "";
const started: RunningCommand[] = [];

before(async () => {
  project = await mkdtemp(join(tmpdir(), "gatehouse-readmes-"));
  await symlink(join(root, "node_modules"), join(project, "node_modules"));
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
  const compilerOptions = { rootDir: "src", outDir: "compiled", composite: false, declaration: false };
  const tsconfig = { extends: join(root, "tsconfig.base.json"), compilerOptions, include: ["src"] };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(tsconfig));
  await mkdir(join(project, "src"));
  await mkdir(join(project, "compiled"));
  for (const { workspace, markdown } of readmes) {
    for (const example of examplesOf(markdown)) {
      const folder = join(project, example.language === "ts" ? "src" : "compiled", workspace);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, example.file ?? `line-${example.line}.${example.language}`), example.code);
    }
  }
});

after(async () => {
  await Promise.all(started.map((running) => running.stop()));
  await rm(project, { recursive: true, force: true });
});

/** Reports whether an example ends by itself. A named file is part of a larger program, unless it is a test. */
const isProgram = ({ file }: DocumentedExample): boolean => file === undefined || file.endsWith(".test.ts");

/** Runs shell text in a new folder of the project, with a home of its own. */
async function runIn(name: string, command: string): Promise<CommandResult> {
  const folder = join(project, name);
  await mkdir(folder, { recursive: true });
  const running = startCommand(command, { folder, env: { ...process.env, HOME: folder } });
  started.push(running);
  return await running.ended;
}

test("the examples in the READMEs of all workspaces have no type errors", async () => {
  const { code, stdout, stderr } = await runIn(".", "node_modules/.bin/tsc --project .");
  assert.equal(code, 0, `${stdout}${stderr}`);
});

for (const { workspace, markdown } of readmes) {
  const examples = examplesOf(markdown);
  const steps = stepsOf(markdown);

  test(`the README of ${workspace} has an example that runs`, () => {
    assert.ok(examples.length + steps.length > 0);
  });

  for (const { line, file, output } of examples.filter(isProgram)) {
    test(`the example in line ${line} of the README of ${workspace} runs and prints what is shown`, async () => {
      const compiled = join(project, "compiled", workspace, file?.replace(/ts$/, "js") ?? `line-${line}.js`);
      const result = await runIn(`${workspace}-${line}`, `'${process.execPath}' '${compiled}'`);
      assert.equal(result.code, 0, `${result.stdout}${result.stderr}`);
      if (output !== undefined) {
        assert.equal(comparable(result.stdout), comparable(output));
      }
    });
  }

  if (steps.length > 0) {
    test(`the commands in the README of ${workspace} print what is shown`, async () => {
      for (const { command, output } of steps) {
        const { stdout, stderr } = await runIn(`${workspace}-commands`, command);
        assert.equal(comparable(`${stdout}${stderr}`), comparable(output), command);
      }
    });
  }
}
