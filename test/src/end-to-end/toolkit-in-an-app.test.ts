import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { freePort } from "../support/free-port.js";
import { createHookPki } from "../support/hook-server.js";
import { installToolkit, npmEnv, runIn } from "../support/installed-packages.js";
import { type RunningCommand, startCommand } from "../support/running-command.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

// Express apps of strangers, who have installed the packages and nothing of the checkout: the README of the toolkit as it
// stands, and hooks that read other objects.

const readme = readFileSync(new URL("../../../webhooks/README.md", import.meta.url), "utf8");

/** The programs of the README, by the path that their first line names. */
const shownFiles = new Map(
  [...readme.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)].map(([, path = "", text = ""]) => [path, text]),
);

const compilerOptions = {
  target: "ES2022",
  module: "NodeNext",
  strict: true,
  exactOptionalPropertyTypes: true,
  rootDir: "src",
  outDir: "dist",
  types: ["node"],
};

const project = await mkdtemp(join(tmpdir(), "gatehouse-app-"));
after(() => rm(project, { recursive: true, force: true }));

before(async () => {
  const others = ["express@5", "@types/express@5", "@types/node@20", "typescript@7"];
  await installToolkit(project, others);
  await createHookPki(project);
  for (const [from, to] of [
    ["ca.crt", "ca.crt"],
    ["server.crt", "tls.crt"],
    ["server.key", "tls.key"],
  ] as const) {
    await cp(join(project, "hooks", from), join(project, to));
  }
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
});

/** Compiles a project of these sources, and nothing that an earlier one has left. */
async function compile(sources: ReadonlyMap<string, string>): Promise<void> {
  await rm(join(project, "src"), { recursive: true, force: true });
  await rm(join(project, "dist"), { recursive: true, force: true });
  for (const [path, text] of sources) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  }
  await runIn(project, "npx tsc");
}

/** An app under test; it ends with its scope. */
interface App extends AsyncDisposable {
  readonly port: number;
  readonly command: RunningCommand;
}

/** Starts the app of the README with these hooks, on a free port, and waits until its `/readyz` agrees. */
async function startApp(hooks: string, env: NodeJS.ProcessEnv = {}): Promise<App> {
  const port = await freePort();
  const app = shownFiles.get("src/app.ts")?.replace("listen(8443)", `listen(${port}, "127.0.0.1")`) ?? "";
  await compile(
    new Map([
      ["src/hooks.ts", hooks],
      ["src/app.ts", app],
    ]),
  );
  const command = startCommand("exec node dist/app.js", { folder: project, env: { ...npmEnv, ...env } });
  try {
    await until("the app is ready", async () => {
      const url = `https://127.0.0.1:${port}/readyz`;
      const { stdout } = await startCommand(`curl -s --cacert ca.crt '${url}'`, { folder: project }).ended;
      return stdout === "OK" ? stdout : undefined;
    });
  } catch (error) {
    const { stderr } = await command.stop();
    throw new Error(stderr, { cause: error });
  }
  return {
    port,
    command,
    async [Symbol.asyncDispose]() {
      await command.stop();
    },
  };
}

/** Posts a review of an object to a hook, by a client certificate; returns the response in the answer. */
async function review({ port }: App, path: string, request: object): Promise<object> {
  const text = JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u", operation: "CREATE", userInfo: {}, ...request },
  });
  const words = ["--cacert ca.crt --cert hooks/caller.crt --key hooks/caller.key", "--data-binary @-"];
  const command = `curl -s ${words.join(" ")} -H 'Content-Type: application/json' 'https://127.0.0.1:${port}${path}'`;
  const { stdout } = await startCommand(command, { folder: project, stdin: text }).ended;
  return JSON.parse(stdout).response;
}

test("the hook of the README passes its test, and the app of the README serves it and ends when it is told to", async () => {
  assert.deepEqual([...shownFiles.keys()], ["src/hooks.ts", "src/hooks.test.ts", "src/large.ts", "src/app.ts"]);
  await compile(shownFiles);
  assert.match(await runIn(project, "node --test --test-reporter=tap dist/hooks.test.js"), /^# pass 1\n# fail 0$/m);

  await using app = await startApp(shownFiles.get("src/hooks.ts") ?? "");
  const pod = (image: string): object => ({
    kind: { group: "", version: "v1", kind: "Pod" },
    resource: { group: "", version: "v1", resource: "pods" },
    object: { metadata: { name: "web" }, spec: { containers: [{ name: "web", image }] } },
  });
  const path = "/hooks/validating/no-latest-tag.example.com";
  assert.deepEqual(await review(app, path, pod("web:1")), { uid: "u", allowed: true });
  assert.match(JSON.stringify(await review(app, path, pod("web:latest"))), /"message":"name the version of the image"/);
  const { code, stderr } = await app.command.stop();
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
});

/** Declarations that the examples of the reference take for granted. */
const exampleDeclarations = [
  'import assert from "node:assert/strict";',
  'import { readFile } from "node:fs/promises";',
  'import { createServer, type ServerOptions } from "node:https";',
  'import type { appsV1, coreV1 } from "@gatehouse/envelopes/types";',
  'import type * as expressions from "@gatehouse/webhooks/expressions";',
  'import express from "express";',
  "declare const hooks: readonly Hook[];",
  "declare const noLatestTag: Hook;",
  "declare const imageTags: Handler;",
  "declare const resourceLimits: Handler;",
  "declare const tlsOptions: ServerOptions;",
  'declare const object: expressions.PolicySubject<appsV1.Deployment>["object"]["spec"]["template"];',
  "interface Widget { readonly metadata: { readonly name: string } }",
  "interface WidgetV1 { readonly spec: { readonly size: number } }",
  "interface WidgetV2 { readonly spec: { readonly size: { readonly value: number } } }",
].join("\n");

/** An entry point of the reference: the names that it exports, and the examples of them. */
interface ReferenceSection {
  readonly specifier: string;
  readonly names: readonly string[];
  readonly examples: readonly string[];
}

function readSection(section: string): ReferenceSection {
  const entries = section.split("\n### ").slice(1);
  return {
    specifier: section.slice(0, section.indexOf("\n")),
    names: entries.map((entry) => entry.slice(0, entry.indexOf("\n"))),
    // The last block of an entry is the declaration.
    examples: entries.flatMap((entry) =>
      [...entry.matchAll(/^```ts\n(.*?)^```$/gms)].slice(0, -1).map(([, text = ""]) => text),
    ),
  };
}

/** Returns a program with the examples of a section, each in a function of its own. Its names come before others'. */
function programOf(section: ReferenceSection, sections: readonly ReferenceSection[]): string {
  const imports = new Map<string, string>();
  for (const { names, specifier } of [...sections, section]) {
    for (const name of names) {
      imports.set(name, specifier);
    }
  }
  const lines = [...imports].map(([name, specifier]) => `import { ${name} } from "${specifier}";\n`);
  const functions = section.examples.map((text, index) => `async function example${index}() {\n${text}}\n`);
  return `${lines.join("")}${exampleDeclarations}\n${functions.join("\n")}`;
}

test("the examples of the reference compile where only the packed packages are installed", async () => {
  const reference = readFileSync(new URL("../../../docs/reference/toolkit.md", import.meta.url), "utf8");
  const sections = reference.split("\n## ").slice(1).map(readSection);
  const count = sections.reduce((sum, { examples }) => sum + examples.length, 0);
  assert.ok(count >= 10, `${count} examples`);
  await compile(
    new Map(sections.map((section, index) => [`src/examples-${index}.ts`, programOf(section, sections)] as const)),
  );
});

const readingHooks = `
import { allow, deny, validatingHook, validator } from "@gatehouse/webhooks";
import { namespaces } from "@gatehouse/webhooks/resources";

export const hooks = [
  validatingHook({
    name: "frozen.example.com",
    rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
    reads: [namespaces],
    handler: validator((_object, { namespace }, { lookup }) =>
      lookup.get(namespaces, { name: namespace ?? "" })?.metadata?.labels?.["frozen"] === "yes"
        ? deny(namespace + " is frozen")
        : allow(),
    ),
  }),
];
`;

test("an app gives hooks the objects that they read, and ends although it follows the cluster", async () => {
  await using server = await startTestServer();
  const signal = new AbortController().signal;
  const body = { metadata: { name: "lab", labels: { frozen: "yes" } } };
  await server.client.requestJson({ method: "POST", path: "/api/v1/namespaces", body, signal, timeoutMs: 30_000 });

  await using app = await startApp(readingHooks, { KUBECONFIG: await server.kubeconfigFile() });
  const ask = async (namespace: string): Promise<string> =>
    JSON.stringify(
      await review(app, "/hooks/validating/frozen.example.com", {
        kind: { group: "", version: "v1", kind: "ConfigMap" },
        resource: { group: "", version: "v1", resource: "configmaps" },
        namespace,
        object: { metadata: { name: "a" } },
      }),
    );
  assert.match(await ask("lab"), /"message":"lab is frozen"/);
  assert.match(await ask("default"), /"allowed":true/);
  const { code, stderr } = await app.command.stop();
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
});

test("an app that mounts hooks without the lookup that they need does not start, and is told which need it", async () => {
  const main = `
import { admissionEndpoints, anyCaller, createLogger, createMetricsRegistry, reviewMiddleware } from "@gatehouse/webhooks/server";
import { hooks } from "./hooks.js";

reviewMiddleware({
  endpoints: admissionEndpoints(hooks),
  callers: anyCaller,
  logger: createLogger({ name: "app" }),
  metrics: createMetricsRegistry({ processMetrics: true }),
});
`;
  await compile(
    new Map([
      ["src/hooks.ts", readingHooks],
      ["src/main.ts", main],
    ]),
  );
  const { code, stderr } = await startCommand("node dist/main.js", { folder: project, env: npmEnv }).ended;
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^TypeError: hooks that read other objects need a lookup, which openLookup\(\) opens: frozen\.example\.com reads namespaces of v1$/m,
  );
});
