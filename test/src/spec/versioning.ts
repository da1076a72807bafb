import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { FlagDefinition } from "@gatehouse/component-base/flags";
import { serverFlags } from "@gatehouse/server";
import { startTestServer } from "../support/start-test-server.js";
import { createApiClient } from "./support/api-client.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { freshNamespace } from "./support/fixtures.js";
import { serverWith, specServerWith } from "./support/shared-server.js";

const section = "Versioning";

interface Discovery {
  readonly groups: readonly {
    readonly name: string;
    readonly versions: readonly { readonly groupVersion: string }[];
  }[];
  readonly resources: readonly { readonly name: string }[];
}

/** Flags that v1.29 deprecates, and takes. */
const deprecatedFlags = ["--cloud-provider=external", "--kubelet-port=10250", "--kubelet-read-only-port=10255"];

/** Returns a number that is larger for the more stable of two group versions. */
function stability(groupVersion: string): number {
  return groupVersion.includes("alpha") ? 0 : groupVersion.includes("beta") ? 1 : 2;
}

describe(section, { concurrency: 16 }, () => {
  it(`${section}, 1: the release served is v1.29`, async () => {
    const client = await serverWith();
    const version = (await client.get("/version")).document as unknown as Record<string, string>;
    assert.deepEqual([version["major"], version["minor"]], ["1", "29"]);
    assert.match(String(version["gitVersion"]), /^v1\.29\.\d+/);
  });

  it(`${section}, 2: groups are in the path and in apiVersion; the core group is in neither`, async () => {
    const client = await serverWith();
    const core = (await client.get("/api/v1")).document as unknown as Record<string, string>;
    assert.deepEqual([core["kind"], core["groupVersion"]], ["APIResourceList", "v1"]);
    const apps = (await client.get("/apis/apps/v1")).document as unknown as Record<string, string>;
    assert.equal(apps["groupVersion"], "apps/v1");
    const namespace = (await client.get("/api/v1/namespaces/default")).document;
    assert.equal(namespace.apiVersion, "v1");
  });

  it(`${section}, 3, --runtime-config: versions are turned on and off, a missing value means true`, async () => {
    const { client } = await specServerWith(
      "--feature-gates=DynamicResourceAllocation=true",
      "--runtime-config=batch/v1=false,scheduling.k8s.io/v1=false,api/alpha=false,resource.k8s.io/v1alpha2",
    );
    const on = await serverWith();
    for (const [path, changed, usual] of [
      ["/apis/batch/v1/jobs", 404, 200],
      ["/apis/scheduling.k8s.io/v1/priorityclasses", 404, 200],
      ["/apis/resource.k8s.io/v1alpha2/resourceclasses", 200, 404],
      ["/apis/apps/v1/deployments", 200, 200],
    ] as const) {
      assertCode(await client.get(path), changed);
      assertCode(await on.get(path), usual);
    }
    const { groups } = (await client.get("/apis")).document as unknown as Discovery;
    assert.ok(!groups.some(({ name }) => name === "batch" || name === "scheduling.k8s.io"));
    assert.ok(groups.some(({ name }) => name === "resource.k8s.io"));
  });

  it(`${section}, 3, --runtime-config: a single resource is turned off`, async () => {
    const { client } = await specServerWith("--runtime-config=apps/v1/daemonsets=false");
    assertStatus(await client.get("/apis/apps/v1/daemonsets"), {
      code: 404,
      reason: "NotFound",
      message: "the server could not find the requested resource",
      details: {},
    });
    assertCode(await client.get("/apis/apps/v1/deployments"), 200);
    const { resources } = (await client.get("/apis/apps/v1")).document as unknown as Discovery;
    assert.ok(!resources.some(({ name }) => name.startsWith("daemonsets")));
  });

  it(`${section}, 5: alpha versions are off, stable ones on`, async () => {
    const client = await serverWith();
    const { groups } = (await client.get("/apis")).document as unknown as Discovery;
    const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion));
    assert.ok(versions.includes("apps/v1"));
    assert.deepEqual(
      versions.filter((version) => /v\d+alpha\d+$/.test(version)),
      [],
    );
  });

  it(`${section}, 7, --feature-gates: what is unknown or not a boolean stops the server at start`, async () => {
    for (const flag of ["--feature-gates=NoSuchFeature=true", "--feature-gates=WatchList=maybe"]) {
      await assert.rejects(specServerWith(flag, "--v=0"), /NoSuchFeature|maybe/);
    }
  });

  it(`${section}, deprecation rule 2: an object goes around between versions without loss`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const v2 = `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`;
    const v1 = v2.replace("/v2/", "/v1/");
    const object = {
      metadata: { name: "h", annotations: { note: "mine" } },
      spec: {
        scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
        minReplicas: 2,
        maxReplicas: 9,
        metrics: [
          { type: "Resource", resource: { name: "memory", target: { type: "Utilization", averageUtilization: 70 } } },
          { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
        ],
        behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
      },
    };
    const created = await client.post(v2, object);
    assertCode(created, 201);
    const old = await client.get(`${v1}/h`);
    assertCode(old, 200);
    assert.equal(old.document.apiVersion, "autoscaling/v1");
    const { spec } = old.document as unknown as { spec: { targetCPUUtilizationPercentage: number } };
    assert.equal(spec.targetCPUUtilizationPercentage, 50);
    const written = await client.put(`${v1}/h`, old.document);
    assertCode(written, 200);
    assert.deepEqual((await client.get(`${v2}/h`)).document["spec"], created.document["spec"]);
  });

  it(`${section}, additional facts: calls to a deprecated version get a Warning header`, async () => {
    const client = await serverWith();
    const path = "/apis/flowcontrol.apiserver.k8s.io/v1beta3/prioritylevelconfigurations";
    assert.equal(
      (await client.get(path)).headers["warning"],
      '299 - "flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration is deprecated in v1.29+, unavailable in v1.32+; use flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration"',
    );
  });

  it(`${section}, additional facts: a gauge tells of requested deprecated versions, with the release of their removal`, async () => {
    const client = await serverWith();
    await client.get("/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas");
    const metrics = (await client.get("/metrics")).text;
    assert.match(
      metrics,
      /^apiserver_requested_deprecated_apis\{group="flowcontrol\.apiserver\.k8s\.io",(?=[^}]*\bremoved_release="1\.32")(?=[^}]*\bresource="flowschemas")(?=[^}]*\bversion="v1beta3")[^}]*\} 1$/m,
    );
  });

  it(`${section}, 4: what is stored is the same after a restart, in JSON and in protobuf`, async () => {
    await using server = await startTestServer();
    using client = createApiClient(server.clientConfig);
    const collection = "/apis/apps/v1/namespaces/default/deployments";
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
    const spec = { selector: { matchLabels: { a: "b" } }, template };
    assertCode(await client.post(collection, { metadata: { name: "d" }, spec }), 201);
    const protobuf = { accept: "application/vnd.kubernetes.protobuf" };
    const [json, binary] = [await client.get(`${collection}/d`), await client.get(`${collection}/d`, protobuf)];
    await server.restart();
    assert.equal((await client.get(`${collection}/d`)).text, json.text);
    assert.deepEqual((await client.get(`${collection}/d`, protobuf)).bytes, binary.bytes);
  });

  it(`${section}, deprecation rule 4a: all stable versions are served, and beta versions that have been replaced are not`, async () => {
    const client = await serverWith();
    const { groups } = (await client.get("/apis")).document as unknown as Discovery;
    const stable = groups.flatMap(({ versions }) =>
      versions
        .map(({ groupVersion }) => groupVersion)
        // Other tests define kinds of their own on this server.
        .filter((version) => /(?<!\.example\.com)\/v\d+$/.test(version)),
    );
    assert.deepEqual(stable.sort(), [
      ...["admissionregistration.k8s.io/v1", "apiextensions.k8s.io/v1", "apiregistration.k8s.io/v1", "apps/v1"],
      ...["authentication.k8s.io/v1", "authorization.k8s.io/v1", "autoscaling/v1", "autoscaling/v2", "batch/v1"],
      ...["certificates.k8s.io/v1", "coordination.k8s.io/v1", "discovery.k8s.io/v1", "events.k8s.io/v1"],
      ...["flowcontrol.apiserver.k8s.io/v1", "networking.k8s.io/v1", "node.k8s.io/v1", "policy/v1"],
      ...["rbac.authorization.k8s.io/v1", "scheduling.k8s.io/v1", "storage.k8s.io/v1"],
    ]);
    for (const replaced of ["apps/v1beta1", "batch/v1beta1", "extensions/v1beta1", "policy/v1beta1"]) {
      assertCode(await client.get(`/apis/${replaced}`), 404);
    }
  });

  it(`${section}, deprecation rule 5a: no flag of the programs for users is deprecated, so that all go on to work`, () => {
    const reference = readFileSync(new URL("../../../docs/reference/command-lines.md", import.meta.url), "utf8");
    const programs = reference
      .split(/^## /m)
      .filter((text) => /^(gatehouse|kubectl-gatehouse|gatehouse-credential-\S+)\n/.test(text));
    assert.equal(programs.length, 4);
    assert.deepEqual(
      programs.filter((text) => text.includes("DEPRECATED")),
      [],
    );
  });

  it(`${section}, deprecation rule 5b: a server starts with flags that are deprecated`, async () => {
    const { client } = await specServerWith(...deprecatedFlags);
    assertCode(await client.get("/readyz"), 200);
  });

  it(`${section}, deprecation rule 6: a flag that is deprecated is warned about`, async () => {
    const { server } = await specServerWith(...deprecatedFlags);
    for (const flag of deprecatedFlags) {
      const [name] = flag.split("=", 1);
      assert.match(server.logs.text(), new RegExp(`WARN .*Flag ${name} has been deprecated, `));
    }
  });

  it(`${section}, deprecation rule 5c: what a deprecated flag names in its place is there, and not deprecated`, () => {
    const definitions: Readonly<Record<string, FlagDefinition>> = serverFlags;
    const named = Object.values(definitions).flatMap(({ deprecated = "" }) =>
      [...deprecated.matchAll(/--([a-z-]+)/g)].map(([, name = ""]) => name),
    );
    assert.ok(named.length > 0);
    for (const name of named) {
      assert.ok(definitions[name] !== undefined, `--${name} is known`);
      assert.equal(definitions[name]?.deprecated, undefined, `--${name} is not deprecated`);
    }
  });

  it(`${section}, deprecation rule 8: what is deprecated names something at least as stable in its place, which is served`, async () => {
    const client = await serverWith("--runtime-config=api/all=true");
    const { groups } = (await client.get("/apis")).document as unknown as Discovery;
    const replacements: string[] = [];
    for (const { groupVersion } of groups.flatMap(({ versions }) => versions)) {
      const { resources } = (await client.get(`/apis/${groupVersion}`)).document as unknown as Discovery;
      for (const { name } of resources.filter((resource) => !resource.name.includes("/"))) {
        const { warning } = (await client.get(`/apis/${groupVersion}/${name}`)).headers;
        const replacement = /; use (\S+) /.exec(String(warning ?? ""))?.[1];
        if (replacement !== undefined) {
          replacements.push(`${groupVersion} -> ${replacement}`);
          assert.ok(stability(replacement) >= stability(groupVersion), `${groupVersion} -> ${replacement}`);
          assertCode(await client.get(`/apis/${replacement}`), 200);
        }
      }
    }
    assert.ok(replacements.length > 0);
  });
});
