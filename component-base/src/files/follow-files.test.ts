import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type FollowedFiles, followFiles } from "./follow-files.js";

/** An interval that no test lives to see, so that events alone lead to looks. */
const never = 2 ** 30;

describe("followFiles", () => {
  let folder: string;
  let changes: EventTarget;
  // Nothing that follows files keeps a process running.
  let running: NodeJS.Timeout;
  beforeEach(async () => {
    running = setInterval(() => {}, 60_000);
    folder = await mkdtemp(join(tmpdir(), "follow-files-"));
    changes = new EventTarget();
  });
  afterEach(async () => {
    clearInterval(running);
    await rm(folder, { recursive: true });
  });

  function follow(file: string): Promise<FollowedFiles<string>> {
    return followFiles({
      files: [file],
      read: () => readFile(file, "utf8"),
      pollIntervalMs: never,
      onReload: () => changes.dispatchEvent(new Event("reload")),
      onRefusal: () => changes.dispatchEvent(new Event("refusal")),
    });
  }

  it("sees that a file is written, without waiting for its interval", async () => {
    const file = join(folder, "ca.crt");
    await writeFile(file, "one");
    using followed = await follow(file);
    const reloaded = once(changes, "reload");
    await writeFile(file, "another");
    await reloaded;
    assert.equal(followed.current, "another");
  });

  it("sees that a link leads elsewhere, as in a mounted Secret", async () => {
    await writeFile(join(folder, "1"), "one");
    await writeFile(join(folder, "2"), "another");
    const file = join(folder, "ca.crt");
    await symlink("1", file);
    using followed = await follow(file);
    const reloaded = once(changes, "reload");
    await symlink("2", join(folder, "new"));
    await rename(join(folder, "new"), file);
    await reloaded;
    assert.equal(followed.current, "another");
  });

  it("keeps what it has read while a file is gone, and reads it when it is there again", async () => {
    const file = join(folder, "ca.crt");
    await writeFile(file, "one");
    using followed = await follow(file);
    const refused = once(changes, "refusal");
    await rm(file);
    await refused;
    assert.equal(followed.current, "one");
    const reloaded = once(changes, "reload");
    await writeFile(file, "another");
    await reloaded;
    assert.equal(followed.current, "another");
  });

  it("looks at files whose folder cannot be watched when it is asked", async () => {
    const file = join(folder, "none", "ca.crt");
    let content = "one";
    using followed = await followFiles({
      files: [file],
      read: async () => content,
      pollIntervalMs: never,
      onReload: () => {},
      onRefusal: assert.ifError,
    });
    content = "another";
    assert.equal(await followed.checkNow(), "unchanged");
    assert.equal(followed.current, "one");
  });
});
