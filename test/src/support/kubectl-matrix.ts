import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { HttpClient } from "@gatehouse/component-base/http-client";
import type { ControlPlane } from "@gatehouse/testing";
import { type KubectlShell, openKubectlShell } from "./kubectl-shell.js";
import { chooseKubectls, findKubectls, type KubectlBinary } from "./kubectls.js";
import { startTestServer } from "./start-test-server.js";

/** A server that kubectl talks to as its administrator. */
export interface KubectlServer extends AsyncDisposable {
  kubeconfigFile(): Promise<string>;
  /** Requests as the administrator. */
  readonly client: HttpClient;
}

/** The parts of a test of the matrix. The current namespace of the shell is the test's own. */
export interface KubectlTest<Server extends KubectlServer = ControlPlane> {
  readonly shell: KubectlShell;
  readonly server: Server;
  readonly namespace: string;
}

/** `every`: all versions that this run is for. `chosen`: the oldest, the newest, and the one of the server's own version. */
export type KubectlSelection = "every" | "chosen" | "newest";

/** A selection without those older than a minor version, for which the test is skipped. */
export interface KubectlsSince {
  readonly of: KubectlSelection;
  readonly minor: number;
}

/**
 * Versions from 1.27 on, for tests of what old ones (Debian has 1.20) lack or say in other words: commands and flags that
 * came later, and the client's own texts.
 */
export function modern(selection: KubectlSelection): KubectlsSince {
  return { of: selection, minor: 27 };
}

export interface KubectlMatrix<Server extends KubectlServer = ControlPlane> {
  /** Defines one test for each selected version of kubectl. */
  test(
    name: string,
    selection: KubectlSelection | KubectlsSince,
    body: (given: KubectlTest<Server>) => Promise<void>,
  ): void;
}

/** Tests that run side by side: kubectl waits for the server as often as it computes. */
const concurrency = 4;

/**
 * Describes how kubectl behaves against one server: every test runs for several versions of kubectl, each time in a
 * shell and a namespace of its own, side by side. `flags` are of the server.
 */
export async function describeKubectl(
  title: string,
  define: (matrix: KubectlMatrix) => void,
  flags: readonly string[] = [],
): Promise<void> {
  await describeKubectlOn(title, () => startTestServer({ flags }), define);
}

/** Describes how kubectl behaves against a server that `start` starts, else like `describeKubectl`. */
export async function describeKubectlOn<Server extends KubectlServer>(
  title: string,
  start: () => Promise<Server>,
  define: (matrix: KubectlMatrix<Server>) => void,
): Promise<void> {
  const kubectls = await findKubectls();
  if (kubectls.length === 0) {
    test(title, { skip: "there is no kubectl on PATH" }, () => {});
    return;
  }
  describe(title, { concurrency }, () => {
    let server: Server;
    let count = 0;
    before(async () => {
      server = await start();
    });
    after(async () => await server?.[Symbol.asyncDispose]());
    define({
      test(name, selection, body) {
        const { of, minor } = typeof selection === "string" ? { of: selection, minor: 0 } : selection;
        for (const kubectl of select(kubectls, of)) {
          const namespace = `test-${++count}`;
          const skip = kubectl.minor < minor && `kubectl 1.${minor} or newer is needed for this`;
          test(`${name} (kubectl ${kubectl.version})`, { skip }, async () => {
            await createNamespace(server.client, namespace);
            await using shell = await openKubectlShell(kubectl, await server.kubeconfigFile(), namespace);
            await body({ shell, server, namespace });
          });
        }
      },
    });
  });
}

/** Makes a namespace without kubectl, which takes a tenth of a second for it. */
async function createNamespace(client: HttpClient, name: string): Promise<void> {
  const timeoutMs = 60_000;
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  const request = {
    method: "POST",
    path: "/api/v1/namespaces",
    body,
    signal: AbortSignal.timeout(timeoutMs),
    timeoutMs,
  };
  const answer = await client.requestJson(request);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
}

function select(kubectls: readonly KubectlBinary[], selection: KubectlSelection): readonly KubectlBinary[] {
  if (selection === "newest") {
    return kubectls.slice(-1);
  }
  return selection === "every" ? kubectls : chooseKubectls(kubectls);
}
