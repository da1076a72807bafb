import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { createHttpClient, type HttpClient, type HttpResponse } from "@gatehouse/component-base/http-client";
import type { ControlPlane } from "@gatehouse/testing";
import { startTestServer } from "../support/start-test-server.js";

/** Folder of the requests and of v1.29's answers to them (`test/differential/record-area.mjs`). */
const differential = new URL("../../differential/", import.meta.url);

interface Sequence {
  readonly name: string;
  readonly steps: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly quiet?: boolean;
    /** Credentials of the step; the administrator's by default. */
    readonly as?: "none";
    readonly view?: View;
  }[];
}

type View = (answer: Pick<HttpResponse, "body" | "headers">) => unknown;

type Answers = Readonly<Record<string, readonly (readonly [status: number, body: unknown])[]>>;

const withoutPodPlugins =
  "ServiceAccount,PodSecurity,LimitRanger,Priority,DefaultTolerationSeconds,RuntimeClass,TaintNodesByCondition";
const anyVersion = "--runtime-config=api/all=true";
const anybody = "--authorization-mode=AlwaysAllow";
const fileOf = (path: string): string => fileURLToPath(new URL(path, differential));

/** Controllers wrote nothing when these answers were recorded. */
const restFlags = [
  "--service-cluster-ip-range=10.0.0.0/24",
  anyVersion,
  anybody,
  `--disable-admission-plugins=${withoutPodPlugins}`,
  "--controllers=system-namespaces-controller",
];

/** Owners are made up, which nobody collects. */
const podFlags = [
  anyVersion,
  "--allow-privileged=true",
  "--controllers=*,-bootstrap-roles,-garbage-collector-controller",
];

/** The areas, and the flags as they were when the answers were recorded. */
const areas: Readonly<Record<string, readonly string[]>> = {
  "admission-rest": restFlags,
  "admission-off": [
    ...restFlags,
    "--enable-admission-plugins=NamespaceAutoProvision,NamespaceExists,DenyServiceExternalIPs,OwnerReferencesPermissionEnforcement,EventRateLimit",
    `--admission-control-config-file=${fileOf("lib/admission-configuration.json")}`,
  ],
  "admission-defaults": [
    anyVersion,
    "--authorization-mode=RBAC",
    "--feature-gates=ClusterTrustBundle=true",
    `--token-auth-file=${fileOf("lib/admission-defaults/tokens.csv")}`,
    "--controllers=system-namespaces-controller",
  ],
  "admission-pods": podFlags,
  "admission-pods-off": [
    ...podFlags,
    anybody,
    "--enable-admission-plugins=AlwaysAdmit,SecurityContextDeny,LimitPodHardAntiAffinityTopology,NodeRestriction,AlwaysPullImages,PodNodeSelector,PodTolerationRestriction,ExtendedResourceToleration,PersistentVolumeLabel",
    "--feature-gates=SecurityContextDeny=true",
    `--admission-control-config-file=${fileOf("lib/admission-pods-off/admission.yaml")}`,
    `--token-auth-file=${fileOf("lib/admission-pods-off/tokens.csv")}`,
  ],
};

/** Reports whether a sequence is independent of time: the number of accepted Events depends on their rate. */
const isTimeless = ({ name }: Sequence): boolean => !name.startsWith("events in");

for (const [name, flags] of Object.entries(areas)) {
  await testArea(name, flags);
}

async function testArea(areaName: string, flags: readonly string[]): Promise<void> {
  const recorded = readFileSync(new URL(`recorded/${areaName}.json.br`, differential));
  const answers = JSON.parse(brotliDecompressSync(recorded).toString()) as Answers;
  const area = (await import(new URL(`areas/${areaName}.mjs`, differential).href)) as {
    sequences(): Iterable<Sequence>;
    readonly comparable: View;
  };

  describe(`Admission plugins change, refuse and warn as those of v1.29 have done: ${areaName}`, () => {
    let server: ControlPlane;
    let anonymous: HttpClient;
    before(async () => {
      server = await startTestServer({ flags });
      anonymous = createHttpClient({ config: server.anonymousConfig });
    });

    after(async () => {
      anonymous?.[Symbol.dispose]();
      await server?.stop();
    });

    for (const { name, steps } of [...area.sequences()].filter(isTimeless)) {
      it(name, async () => {
        let at = 0;
        for (const { method, path, headers, body, quiet, as, view = area.comparable } of steps) {
          const client = as === "none" ? anonymous : server.client;
          const answer = await client.request({
            method,
            path,
            // What is no data is there for the server that was recorded.
            ...(body === undefined || typeof body === "function" ? {} : { body: JSON.stringify(body) }),
            headers: { ...headers },
            signal: new AbortController().signal,
            timeoutMs: 60_000,
          });
          if (quiet !== true) {
            const expected = asMilder(answers[name]?.[at++]);
            assert.deepEqual([answer.status, inJson(view(answer))], expected, `${method} ${path}`);
          }
        }
        assert.equal(at, answers[name]?.length);
      });
    }
  });
}

/** Returns the recorded answer with 403 in place of 500 (decision 0008). */
function asMilder(answer: Answers[string][number] | undefined): Answers[string][number] | undefined {
  if (answer?.[0] !== 500) {
    return answer;
  }
  const [, seen] = answer as readonly [number, { readonly body?: object }];
  return [403, seen.body === undefined ? seen : { ...seen, body: { ...seen.body, reason: "Forbidden", code: 403 } }];
}

/** Returns a value after encoding and decoding it as JSON, as the recorded answers were. */
function inJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
