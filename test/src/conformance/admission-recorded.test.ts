import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { startTestServer, type TestServer } from "../support/start-test-server.js";

/** Where the requests come from, and what v1.29 answered to them (`test/differential/record-area.mjs`). */
const differential = new URL("../../differential/", import.meta.url);

interface Sequence {
  readonly name: string;
  readonly steps: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly quiet?: boolean;
  }[];
}

type Answers = Readonly<Record<string, readonly (readonly [status: number, body: unknown])[]>>;

const withoutPodPlugins =
  "ServiceAccount,PodSecurity,LimitRanger,Priority,DefaultTolerationSeconds,RuntimeClass,TaintNodesByCondition";
const offByDefault =
  "NamespaceAutoProvision,NamespaceExists,DenyServiceExternalIPs,OwnerReferencesPermissionEnforcement,EventRateLimit";
const configuration = new URL("lib/admission-configuration.json", differential);

/** As things were when the answers were recorded: `areas/admission-*.mjs`. Controllers wrote nothing then. */
const flags = [
  "--service-cluster-ip-range=10.0.0.0/24",
  "--runtime-config=api/all=true",
  "--authorization-mode=AlwaysAllow",
  `--disable-admission-plugins=${withoutPodPlugins}`,
  "--controllers=system-namespaces-controller",
];

replay("admission-rest", flags, () => true);
replay(
  "admission-off",
  [
    ...flags,
    `--enable-admission-plugins=${offByDefault}`,
    `--admission-control-config-file=${fileURLToPath(configuration)}`,
  ],
  // How many Events pass depends on how long they take.
  (name) => !name.startsWith("events in"),
);

function replay(name: string, serverFlags: readonly string[], isTimeless: (sequence: string) => boolean): void {
  describe(`Admission plugins change, refuse and warn as those of v1.29 have done (${name})`, async () => {
    let server: TestServer;
    const recorded = readFileSync(new URL(`recorded/${name}.json.br`, differential));
    const answers = JSON.parse(brotliDecompressSync(recorded).toString()) as Answers;
    const area = (await import(new URL(`areas/${name}.mjs`, differential).href)) as {
      sequences(): Iterable<Sequence>;
      comparable(answer: { readonly body: Buffer }): unknown;
    };

    before(async () => {
      server = await startTestServer({ flags: serverFlags });
    });

    after(async () => {
      await server?.stop();
    });

    for (const sequence of area.sequences()) {
      if (isTimeless(sequence.name)) {
        it(sequence.name, async () => {
          const seen: unknown[] = [];
          for (const { method, path, headers, body, quiet } of sequence.steps) {
            const answer = await server.client.request({
              method,
              path,
              // What is no data is there for the server that was recorded.
              ...(body === undefined || typeof body === "function" ? {} : { body: JSON.stringify(body) }),
              headers: { ...headers },
              signal: new AbortController().signal,
              timeoutMs: 60_000,
            });
            if (quiet !== true) {
              seen.push([withoutFault(answer.status), area.comparable({ body: Buffer.from(answer.body) })]);
            }
          }
          const expected = answers[sequence.name]?.map(([status, body]) => [withoutFault(status), body]);
          assert.deepEqual(seen, expected);
        });
      }
    }
  });
}

/** What v1.29 refuses with 500 is refused with 403 (docs/decisions/0008). */
function withoutFault(status: number): number {
  return status === 500 ? 403 : status;
}
