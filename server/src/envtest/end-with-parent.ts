import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { thisProcess } from "@gatehouse/component-base/shutdown";

const intervalMs = 500;

/** The process that orphans are given to. */
const init = 1;

/** Milliseconds in which a harness that is the first process of a container connects. Harnesses poll from the start on. */
const firstCallMs = 30_000;

/** The channel on which Node.js tells every connection to a server of this process. */
const connections = "net.server.socket";

/** The variable by which the script that becomes this process tells who started it. */
const parentVariable = "GATEHOUSE_ENVTEST_PARENT";

/** The beginning of the names of folders that envtest makes, and deletes unless it is killed. */
const folderPrefix = "k8s_test_framework_";

/**
 * Ends this process by SIGTERM when its parent is gone: envtest gives it a process group of its own, so the Ctrl-C that ends
 * a test does not reach it. Then the folders are deleted, too, that are in `folders` at that time and that envtest has made.
 */
export function endWithParent(folders: ReadonlySet<string>): void {
  // The parent may have gone while Node.js started, and process.ppid be that of another process.
  const parent = Number(process.env[parentVariable] ?? process.ppid);
  let isOrphan = false;
  // However this process ends: a program of the pair whose start fails, since the other one has ended, too.
  const cleanUp = (): void => {
    if (isOrphan || process.ppid !== parent) {
      for (const folder of [...folders].filter(isOfEnvtest)) {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    }
  };
  process.once("exit", cleanUp);
  const end = (): void => {
    isOrphan = true;
    clearInterval(timer);
    if (process.listenerCount("SIGTERM") === 0) {
      // While it starts. process.exit would wait for ever for a store that is being opened.
      cleanUp();
      thisProcess.endAtOnce();
    }
    process.kill(process.pid, "SIGTERM");
  };
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      end();
    }
  }, intervalMs);
  timer.unref();
  if (parent === init) {
    endUnlessCalled(end);
  }
}

/** Calls `end` when nobody connects: the parent was killed before it could be told from the first process of a container. */
function endUnlessCalled(end: () => void): void {
  const timer = setTimeout(end, firstCallMs);
  timer.unref();
  const stay = (): void => {
    clearTimeout(timer);
    unsubscribe(connections, stay);
  };
  subscribe(connections, stay);
}

function isOfEnvtest(folder: string): boolean {
  return basename(folder).startsWith(folderPrefix) && dirname(resolve(folder)) === resolve(tmpdir());
}
