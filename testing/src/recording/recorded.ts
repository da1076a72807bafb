import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControlPlane } from "../control-plane.js";

const shownRequests = 50;

/**
 * Returns the body of a test that, when it fails, shows the last requests of the control plane on standard error, and names
 * a file with all of them for `replay`. It works with node:test, vitest and jest.
 *
 * @example
 * ```ts
 * test("the operator scales down", recorded(() => cluster, async () => { ... }));
 * ```
 */
export function recorded<Arguments extends readonly unknown[]>(
  cluster: () => ControlPlane,
  body: (...args: Arguments) => unknown,
): (...args: Arguments) => Promise<void> {
  return async (...args) => {
    using recording = cluster().record();
    try {
      await body(...args);
    } catch (error) {
      const file = join(await mkdtemp(join(tmpdir(), "gatehouse-recording-")), "requests.jsonl");
      await recording.save(file);
      process.stderr.write(
        `The last requests of the control plane (all are in ${file}):\n${recording.text(shownRequests)}\n`,
      );
      throw error;
    }
  };
}
