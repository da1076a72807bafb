import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { promisify } from "node:util";
import { builtinApi } from "@gatehouse/server/kinds";
import { discoveryRoutes } from "../discovery/discovery-routes.js";
import { cronTabs } from "../discovery/example-api.test.support.js";
import { type ServedRoutes, serveRoutes } from "../discovery/serve-routes.test.support.js";
import type { DiscoveredResource } from "../discovery/served-api.js";
import { version } from "../discovery/version.js";
import { typedSchemas } from "../typed-kinds/typed-schema.js";
import { findKubectls } from "./find-kubectl.test.support.js";
import { openapiRoutes } from "./openapi-routes.js";
import { OpenApiSource } from "./openapi-source.js";
import { withTypedKinds } from "./schema-source.js";

const run = promisify(execFile);
const kubectls = findKubectls();
const skip = kubectls.length === 0 && process.env["REQUIRE_PEERS"] !== "1" ? "no kubectl on this machine" : false;

const manifest = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replica":1}}`;

const builtin = builtinApi();
const customGroup = {
  name: "stable.example.com",
  versions: [{ group: "stable.example.com", version: "v1", resources: [cronTabs] }],
  preferredVersion: "v1",
};

const shirt = typedSchemas(
  { group: "shop.example.com", version: "v1", kind: "Shirt", definitionPackage: "com.example.shop" },
  {
    type: "object",
    properties: {
      spec: {
        type: "object",
        required: ["size"],
        properties: { color: { type: "string", enum: ["red", "blue"] }, size: { type: "integer", maximum: 60 } },
      },
    },
  },
);
const typedGroup = {
  name: "shop.example.com",
  versions: [
    {
      group: "shop.example.com",
      version: "v1",
      resources: [{ ...asTyped(cronTabs), resource: "shirts", singular: "shirt", kind: "Shirt" }],
    },
  ],
  preferredVersion: "v1",
};

/** Returns a resource of a kind that no definition states. */
function asTyped({ openAPIV3Schema: _, ...resource }: DiscoveredResource): DiscoveredResource {
  return resource;
}

suite("kubectl reads discovery and OpenAPI", { skip }, () => {
  let served: ServedRoutes;
  let folder: string;
  before(async () => {
    assert.ok(kubectls.length > 0, "REQUIRE_PEERS is set, but there is no kubectl");
    folder = await mkdtemp(join(tmpdir(), "gatehouse-kubectl-"));
    const api = { ...builtin, groups: [...builtin.groups, customGroup, typedGroup] };
    const currentApi = () => api;
    const source = new OpenApiSource({ schemas: withTypedKinds([shirt.kind, shirt.list]) });
    served = await serveRoutes(
      discoveryRoutes(currentApi, { version, otherPaths: [] }),
      openapiRoutes(currentApi, { source }),
    );
  });
  after(async () => {
    await served[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  for (const kubectl of kubectls) {
    const call = async (...words: readonly string[]): Promise<string> => {
      const cache = join(folder, kubectl.replaceAll("/", "_"));
      const { stdout } = await run(kubectl, ["--server", served.url, "--cache-dir", cache, ...words], {
        env: { HOME: folder },
      });
      return stdout;
    };

    test(`${kubectl} lists resources and versions`, async () => {
      const resources = await call("api-resources", "--no-headers", "-o", "name");
      const expected = [...builtin.groups, customGroup, typedGroup].flatMap((group) =>
        (group.versions.find((item) => item.version === group.preferredVersion)?.resources ?? []).map((item) =>
          group.name === "" ? item.resource : `${item.resource}.${group.name}`,
        ),
      );
      assert.deepEqual(resources.trim().split("\n").sort(), expected.sort());
      const versions = (await call("api-versions")).trim().split("\n");
      assert.ok(versions.includes("flowcontrol.apiserver.k8s.io/v1beta3"));
    });

    test(`${kubectl} understands the version`, async () => {
      const { serverVersion } = JSON.parse(await call("version", "-o", "json"));
      assert.equal(serverVersion.gitVersion, version.gitVersion);
    });

    test(`${kubectl} explains kinds and fields`, async () => {
      const tree = await call("explain", "deployment.spec", "--recursive");
      assert.match(tree, /^KIND: +Deployment$/m);
      for (const field of ["imagePullPolicy", "topologySpreadConstraints", "maxUnavailable"]) {
        assert.match(tree, new RegExp(`^ +${field}\\t<`, "m"));
      }
      const selector = await call("explain", "deployment.spec.selector");
      assert.match(selector, /matchLabels\t<map\[string\]string>/);
      assert.match(await call("explain", "crontab.spec"), /^ +cron\t<string> -required-$/m);
      const shirtSpec = await call("explain", "shirts.spec");
      assert.match(shirtSpec, /^ +color\t<string>\n(?: +enum: blue, red\n)? +Possible enum values:\n +- `"blue"`/m);
      assert.match(shirtSpec, /^ +size\t<integer> -required-$/m);
      assert.match(await call("explain", "pods"), /^ +spec\t<(?:PodSpec|Object)>/m);
    });

    test(`${kubectl} finds out that the server validates fields, or does so itself`, async () => {
      // Nobody takes the object here; what matters is with which question it is sent, or why not.
      const file = join(folder, "deployment.json");
      await writeFile(file, manifest);
      const outcome = await call("create", "--validate=true", "-f", file, "-v=6").catch(
        (error: { stderr?: string }) => error.stderr ?? "",
      );
      assert.match(outcome, /fieldValidation=Strict|unknown field "replica" in io\.k8s\.api\.apps\.v1\.DeploymentSpec/);
    });
  }
});
