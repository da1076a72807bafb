import assert from "node:assert/strict";
import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";
import { type KubectlShell, openKubectlShell } from "../support/kubectl-shell.js";
import { findKubectls } from "../support/kubectls.js";
import { definitionsPath, send } from "../support/sample-definition.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { waitEstablished } from "../support/wait-established.js";
import { fetchDefinitions, projects, readDefinitions, removeCache } from "./published-definitions.js";
import { sampleValue } from "./sample-instance.js";

const isAsked = process.env["REAL_DEFINITIONS"] === "1";
const skip = isAsked ? false : "downloads from the network: npm run soak runs it";

/** A folder for each project, instead of what would be downloaded. */
const givenFolder = process.env["DEFINITIONS_FOLDER"] ?? "";

/** Definitions that are used together, and the way to get them. */
interface Subject {
  readonly name: string;
  readonly definitions: (cache: string) => Promise<readonly JsonObject[] | string>;
}

async function subjects(): Promise<readonly Subject[]> {
  if (givenFolder === "") {
    return projects.map((project) => ({
      name: project.name,
      definitions: (cache) => fetchDefinitions(project, cache),
    }));
  }
  const names = isAsked ? (await readdir(givenFolder)).sort() : [];
  return names.map((name) => ({ name, definitions: () => readDefinitions(join(givenFolder, name)) }));
}

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly schema?: { readonly openAPIV3Schema?: JsonObject };
}

interface Spec {
  readonly group: string;
  readonly scope: string;
  readonly names: { readonly plural: string; readonly kind: string };
  readonly versions: readonly Version[];
  readonly conversion?: { readonly strategy: string };
}

const found = await subjects();

describe("the definitions of well-known projects", { skip }, () => {
  let server: ControlPlane;
  let shell: KubectlShell;
  let cache: string;
  before(async () => {
    cache = await mkdtemp(join(tmpdir(), "gatehouse-modules-"));
    server = await startTestServer();
    const kubectl = (await findKubectls()).at(-1);
    assert.ok(kubectl, "there is no kubectl on PATH");
    shell = await openKubectlShell(kubectl, await server.kubeconfigFile());
  });
  after(async () => {
    await shell[Symbol.asyncDispose]();
    await server.stop();
    await removeCache(cache);
  });

  for (const subject of found) {
    it(`${subject.name}: installed, used, explained, applied and removed with kubectl`, async (context) => {
      const definitions = await subject.definitions(cache);
      if (typeof definitions === "string") {
        context.skip(definitions);
        return;
      }
      assert.ok(definitions.length > 0);
      await writeFile(
        join(shell.folder, "definitions.json"),
        JSON.stringify({ apiVersion: "v1", kind: "List", items: definitions }),
      );
      await shell.ok("kubectl apply --server-side -f definitions.json");
      const names = definitions.map(({ metadata }) => `crd/${(metadata as JsonObject)["name"]}`).join(" ");
      await waitEstablished(shell, names);
      for (const definition of definitions) {
        await use(definition["spec"] as unknown as Spec);
      }
      await shell.ok(`kubectl delete ${names}`);
    });
  }

  /** Some versions are deprecated, which kubectl tells. */
  async function works(command: string): Promise<string> {
    const { code, stdout, stderr } = await shell.run(command);
    assert.equal(code, 0, `${command}: ${stderr}`);
    assert.match(stderr, /^(Warning: .*\n)*$/);
    return stdout;
  }

  async function use(spec: Spec): Promise<void> {
    const { group, names, scope } = spec;
    const converts = spec.conversion?.strategy === "Webhook";
    for (const { name: version, served, schema } of spec.versions.filter((one) => one.served)) {
      assert.ok(served);
      const resource = `${names.plural}.${version}.${group}`;
      const below = scope === "Namespaced" ? "namespaces/default/" : "";
      const path = `/apis/${group}/${version}/${below}${names.plural}`;
      await until(
        `${resource} is served`,
        async () => (await send(server, "GET", path)).text !== "404 page not found\n",
      );
      const explained = await works(`kubectl explain ${names.plural} --api-version=${group}/${version}`);
      assert.match(explained, new RegExp(`KIND: +${names.kind}\n`));
      const fields = sampleValue(schema?.openAPIV3Schema ?? { type: "object" });
      const instance: JsonObject = {
        apiVersion: `${group}/${version}`,
        kind: names.kind,
        metadata: { name: `sample-${version}` },
        ...(isJsonObject(fields) ? fields : {}),
      };
      const made = await send(server, "POST", path, instance);
      // Without its webhook a version cannot be converted, and a sample cannot know every pattern.
      assert.ok(
        made.status === 201 || made.status === 422 || (converts && made.status === 500),
        made.text.slice(0, 500),
      );
      if (made.status === 201) {
        await writeFile(join(shell.folder, "instance.json"), JSON.stringify(instance));
        await shell.run("kubectl apply --server-side --force-conflicts -f instance.json");
        assert.match(await works(`kubectl get ${resource}`), new RegExp(`sample-${version}`));
        await works(`kubectl delete ${resource} sample-${version}`);
      }
    }
    assert.equal((await send(server, "GET", `${definitionsPath}/${names.plural}.${group}`)).status, 200);
  }
});
