import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type ControlPlane, startControlPlane } from "@gatehouse/testing";

// Forks that write, rewind and are watched at the same time. FORKS is how many; `npm run soak` takes a hundred.

const forkCount = Number(process.env["FORKS"] ?? 6);
const rounds = 3;
const configMaps = "/api/v1/namespaces/default/configmaps";

interface StoredConfigMap {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
}

async function send(cluster: ControlPlane, method: string, path: string, body?: object): Promise<object> {
  const headers = method === "PATCH" ? { "content-type": "application/merge-patch+json" } : {};
  const { signal } = new AbortController();
  const answer = await cluster.client.requestJson({ method, path, body, headers, signal, timeoutMs: 60_000 });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as object;
}

async function list(cluster: ControlPlane): Promise<readonly StoredConfigMap[]> {
  return ((await send(cluster, "GET", configMaps)) as { items: readonly StoredConfigMap[] }).items;
}

/** Returns the content of a cluster by name. */
function contentOf(objects: readonly StoredConfigMap[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(objects.map(({ metadata, data }) => [metadata.name, data]));
}

/** The versions that a client of one cluster has seen, each with its content. */
class SeenVersions {
  readonly #contents = new Map<string, string>();

  /** Fails when a version has two contents. */
  see(objects: readonly StoredConfigMap[]): void {
    for (const { metadata, data } of objects) {
      const version = `${metadata.name}@${metadata.resourceVersion}`;
      const content = JSON.stringify(data);
      assert.equal(this.#contents.get(version) ?? content, content, `${version} has two contents`);
      this.#contents.set(version, content);
    }
  }
}

describe(`${forkCount} forks side by side`, () => {
  let parent: ControlPlane;
  before(async () => {
    parent = await startControlPlane({ admissionPlugins: { disable: ["ServiceAccount"] } });
    const create = (i: number): Promise<object> =>
      send(parent, "POST", configMaps, { metadata: { name: `shared-${i}` }, data: { of: "parent" } });
    await Promise.all(Array.from({ length: 10 }, (_, i) => create(i)));
  });
  after(() => parent.stop());

  test("see their own writes alone, and no version twice over their rewinds", async () => {
    const before = contentOf(await list(parent));
    const forks = await Promise.all(Array.from({ length: forkCount }, () => parent.fork()));
    await Promise.all(
      forks.map(async (fork, i) => {
        const seen = new SeenVersions();
        const snapshot = await fork.snapshot();
        for (let round = 0; round < rounds; round++) {
          const data = { of: `fork ${i}, round ${round}` };
          await send(fork, "PATCH", `${configMaps}/shared-${round}`, { data });
          await send(fork, "POST", configMaps, { metadata: { name: "mine" }, data });
          await send(fork, "DELETE", `${configMaps}/shared-9`);
          const written = await list(fork);
          seen.see(written);
          const { "shared-9": _deleted, ...rest } = before;
          assert.deepEqual(contentOf(written), { ...rest, [`shared-${round}`]: data, mine: data });
          await fork.rewind(snapshot);
          const rewound = await list(fork);
          seen.see(rewound);
          assert.deepEqual(contentOf(rewound), before);
        }
      }),
    );
    assert.deepEqual(contentOf(await list(parent)), before);
  });
});
