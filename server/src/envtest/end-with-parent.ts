import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, resolve } from "node:path";

const intervalMs = 500;

/** The beginning of the names of folders that envtest makes, and deletes unless it is killed. */
const folderPrefix = "k8s_test_framework_";

/**
 * Ends this process by SIGTERM when its parent is gone: envtest gives it a process group of its own, so the Ctrl-C that ends
 * a test does not reach it. Then `folder` is deleted too, if it is one that envtest has made.
 */
export function endWithParent(folder: string | undefined): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) {
      return;
    }
    clearInterval(timer);
    if (folder !== undefined && isOfEnvtest(folder)) {
      process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    }
    process.kill(process.pid, "SIGTERM");
  }, intervalMs);
  timer.unref();
}

function isOfEnvtest(folder: string): boolean {
  return basename(folder).startsWith(folderPrefix) && dirname(resolve(folder)) === resolve(tmpdir());
}
