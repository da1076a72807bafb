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
const atOnce = 32;

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

  /** Sends an event in the name of each of some users, and returns the codes of the answers. */
  async function send(namespace: string, users: readonly string[]): Promise<readonly number[]> {
    const codes: number[] = [];
    const batch = ++batches;
    let next = 0;
    const work = async (): Promise<void> => {
      for (let number = next++; number < users.length; number = next++) {
        const { status } = await client.post(
          `/api/v1/namespaces/${namespace}/events`,
          { metadata: { name: `e-${batch}-${number}` }, involvedObject: { namespace }, reason: "Tried" },
          { "impersonate-user": users[number] ?? "" },
        );
        codes.push(status);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return codes;
  }

  it(`${section}, Event rate limit cache: ${buckets} buckets are kept, and who comes after as many others has a full one again`, async () => {
    const namespace = await freshNamespace(client);
    const often = Array.from({ length: burst + 100 }, () => "often");
    assert.ok((await send(namespace, often)).includes(429), "the bucket gets empty");
    const others = Array.from({ length: buckets }, (_, number) => `user-${number}`);
    assert.deepEqual(new Set(await send(namespace, others)), new Set([201]));
    const half = Array.from({ length: burst / 2 }, () => "often");
    assert.deepEqual(new Set(await send(namespace, half)), new Set([201]));
  });
});
