import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ApiClient } from "./support/api-client.js";
import { freshNamespace } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const section = "Limits";

/** Buckets that a limit without `cacheSize` keeps. */
const buckets = 4096;
/** The size of a full bucket; one a second comes back, so that only a new bucket is full while the test runs. */
const burst = 400;

describe("A limit of events for each user", () => {
  let folder: string;
  let client: ApiClient;
  let batches = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "rate-limited-events-"));
    const file = join(folder, "admission.yaml");
    const configuration = {
      apiVersion: "eventratelimit.admission.k8s.io/v1alpha1",
      kind: "Configuration",
      limits: [{ type: "User", qps: 1, burst }],
    };
    const plugins = [{ name: "EventRateLimit", configuration }];
    await writeFile(
      file,
      JSON.stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration", plugins }),
    );
    client = await serverWith(
      "--enable-admission-plugins=EventRateLimit",
      `--admission-control-config-file=${file}`,
      "--authorization-mode=AlwaysAllow",
    );
  });
  after(() => rm(folder, { recursive: true }));

  /**
   * Sends an event in the name of each of some users up to the first that is refused, and returns the codes of the answers. One
   * after the other, since they take one connection so: each of several workers has buckets of its own.
   */
  async function send(namespace: string, users: readonly string[]): Promise<readonly number[]> {
    const codes: number[] = [];
    const batch = ++batches;
    for (const [number, user] of users.entries()) {
      const { status } = await client.post(
        `/api/v1/namespaces/${namespace}/events`,
        { metadata: { name: `e-${batch}-${number}` }, involvedObject: { namespace }, reason: "Tried" },
        { "impersonate-user": user },
      );
      codes.push(status);
      if (status !== 201) {
        break;
      }
    }
    return codes;
  }

  it(`${section}, Event rate limit cache: ${buckets} buckets are kept, and who comes after as many others has a full one again`, async () => {
    const namespace = await freshNamespace(client);
    const often = Array.from({ length: 4 * burst }, () => "often");
    assert.equal((await send(namespace, often)).at(-1), 429, "the bucket gets empty");
    const others = Array.from({ length: buckets }, (_, number) => `user-${number}`);
    assert.deepEqual(new Set(await send(namespace, others)), new Set([201]));
    const half = Array.from({ length: burst / 2 }, () => "often");
    assert.deepEqual(new Set(await send(namespace, half)), new Set([201]));
  });
});
