import assert from "node:assert/strict";
import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Changes } from "./changes.js";

const parent = await mkdtemp(join(tmpdir(), "gatehouse-changes-"));
after(() => rm(parent, { recursive: true, force: true }));

type Step = (folder: string) => Promise<void>;

/** Saves as vim, JetBrains, `sed -i` and `git checkout` do. */
const replace: Step = async (folder) => {
  await writeFile(join(folder, "new"), "replaced");
  await rename(join(folder, "new"), join(folder, "hooks.ts"));
};
const append: Step = (folder) => appendFile(join(folder, "hooks.ts"), "more");
const write: Step = (folder) => writeFile(join(folder, "hooks.ts"), "written");
const remove: Step = (folder) => rm(join(folder, "hooks.ts"));
const renameAway: Step = (folder) => rename(join(folder, "hooks.ts"), join(folder, "away.ts"));
const renameBack: Step = (folder) => rename(join(folder, "away.ts"), join(folder, "hooks.ts"));
const add: Step = (folder) => writeFile(join(folder, "other.ts"), "");
const addInFolder: Step = async (folder) => {
  await mkdir(join(folder, "inner"), { recursive: true });
  await writeFile(join(folder, "inner", "deep.ts"), "");
};
const changeInFolder: Step = (folder) => appendFile(join(folder, "inner", "deep.ts"), "more");
const removeFolder: Step = (folder) => rm(folder, { recursive: true });
const restoreFolder: Step = async (folder) => {
  await mkdir(folder);
  await write(folder);
};

const sequences: readonly [what: string, steps: readonly Step[]][] = [
  ["a file that is appended to", [append, append]],
  ["a file that is saved by replacement, each time", [replace, replace, replace]],
  ["a file that is written after it was replaced", [replace, write, append]],
  ["a file that is deleted and comes again", [remove, write, append]],
  ["a file that is renamed, and renamed back", [renameAway, renameBack, append]],
  ["a file that is new", [add, append]],
  ["a file in a folder that is new", [addInFolder, changeInFolder]],
  [
    "the watched folder itself that is deleted and comes again, several times",
    Array.from({ length: 4 }, () => [removeFolder, restoreFolder, append]).flat(),
  ],
];

for (const [index, [what, steps]] of sequences.entries()) {
  test(`${what} is noticed`, async () => {
    const folder = join(parent, String(index));
    await mkdir(folder);
    await write(folder);
    const ending = new AbortController();
    const changes = await Changes.watch([folder], ending.signal, (error) => assert.ifError(error));
    let told = (): void => {};
    const following = changes.follow(async () => told());
    for (const step of steps) {
      const noticed = new Promise<void>((resolve) => {
        told = resolve;
      });
      await step(folder);
      await noticed;
    }
    ending.abort();
    await following;
  });
}
