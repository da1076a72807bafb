import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { readImageLayout } from "@gatehouse/component-base/images";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { parseAllDocuments } from "yaml";
import { defineComputedResource } from "../../resources/define-computed-resource.js";
import { extensionBase } from "./extension-base.js";
import { runCommand } from "./run-command.js";

const skip = process.platform !== "linux" && "images are built on Linux";
const previous = process.cwd();
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-build-"));
  // An npm that has compiled already.
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "bin/npm"), "#!/bin/sh\n");
  await chmod(join(folder, "bin/npm"), 0o755);
  await mkdir(join(folder, "dist"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "shop", version: "1.0.0", type: "module" }));
  const stored = '{ resource: "shirts", verbs: ["get"], subresources: [], storage: {} }';
  const groups = `[{ name: "shop.example.com", versions: ["v1"], resources: [${stored}] }]`;
  await writeFile(join(folder, "dist/program.js"), `export const program = { name: "shop", groups: ${groups} };\n`);
  await writeFile(join(folder, "dist/other.js"), "export const server = {};\n");
  await writeFile(join(folder, "dist/main.js"), "");
  process.chdir(folder);
});
after(async () => {
  process.chdir(previous);
  await rm(folder, { recursive: true });
});

async function run(...argv: readonly string[]): Promise<{ code: number; err: string }> {
  const err: string[] = [];
  const printError = (line: string): void => void err.push(line);
  const env = { PATH: join(folder, "bin") };
  const code = await runCommand(argv, { print: () => {}, printError, process: thisProcess, env });
  return { code, err: err.join("\n") };
}

const image = "--image=r.io/shop:1";

for (const [what, argv, message] of [
  ["build without the name of an image", ["build"], "flags: --image: is required"],
  [
    "build of several pods that cannot share their store",
    ["build", image, "--replicas=2"],
    "flags: --replicas: the embedded store has one server: give --etcd-servers or --storage-backend=configmaps or customresources to share a store",
  ],
  [
    "build with a size of a volume and a store that has none",
    ["build", image, "--storage-backend=configmaps", "--storage=2Gi"],
    "flags: --storage: is for --storage-backend=lmdb",
  ],
  [
    "build with a namespace of ConfigMaps that hold nothing",
    ["build", image, "--storage-namespace=shops"],
    "flags: --storage-namespace: is for --storage-backend=configmaps or customresources",
  ],
  [
    "build with ConfigMaps in no namespace",
    ["build", image, "--storage-backend=configmaps", "--storage-namespace=Shops"],
    "flags: --storage-namespace: a lowercase RFC 1123 label must consist of",
  ],
  [
    "build with etcd and no address of it",
    ["build", image, "--storage-backend=etcd3"],
    "flags: --etcd-servers: must be specified with --storage-backend=etcd3",
  ],
  [
    "build with the embedded store and an address of etcd",
    ["build", image, "--storage-backend=lmdb", "--etcd-servers=http://a:2379"],
    "flags: --etcd-servers: is for --storage-backend=etcd3",
  ],
  [
    "build with a name that no Service can have",
    ["build", image, "--name=1shop"],
    "flags: --name: a DNS-1035 label must consist of",
  ],
  [
    "build of a file that is not there",
    ["build", image, "--program=dist/server.js"],
    "flags: --program: dist/server.js is not there",
  ],
  [
    "build of a file without a program",
    ["build", image, "--program=dist/other.js"],
    "flags: --program: dist/other.js exports no `program` with a name and groups",
  ],
  [
    "build of a project without the program that renews its certificate",
    ["build", image],
    "project: node_modules/@gatehouse/apiserver/dist/programs/extension/main.js: is not installed: @gatehouse/apiserver must be among the dependencies",
  ],
  ["rotate without a Service", ["rotate"], "flags: --service: is required"],
  ["rotate of half a Service", ["rotate", "--service=shop"], "flags: --service: must have the form namespace/name"],
  ["rotate without APIServices", ["rotate", "--service=shop/shop"], "flags: --api-services: is required"],
] as const) {
  test(`${what} is refused`, { skip }, async () => {
    const { code, err } = await run(...argv);
    assert.equal(code, 1);
    assert.ok(err.startsWith(`gatehouse-extension: ${message}`), err);
  });
}

test("build leaves a folder alone that holds no image", { skip }, async () => {
  await mkdir(join(folder, "full/image"), { recursive: true });
  await writeFile(join(folder, "full/image/photo.png"), "");
  const { err } = await run("build", image, "--out=full");
  assert.equal(err, "gatehouse-extension: flags: --out: full/image is there, and is no image layout");
});

test("build gives several pods the etcd cluster that they share, and the image the packages of the project", {
  skip,
}, async () => {
  const project = { name: "shop", version: "1.2.3", type: "module", dependencies: { "@gatehouse/apiserver": "1" } };
  await writeFile(join(folder, "package.json"), JSON.stringify(project));
  const installed = join(folder, "node_modules/@gatehouse/apiserver");
  await mkdir(join(installed, "dist/programs/extension"), { recursive: true });
  await writeFile(join(installed, "package.json"), JSON.stringify({ name: "@gatehouse/apiserver", version: "1.0.0" }));
  await writeFile(join(installed, "dist/programs/extension/main.js"), "");
  const options = ["--replicas=3", "--etcd-servers=http://a:2379,http://b:2379", "--name=shirts", "--namespace=shops"];
  assert.deepEqual(await run("build", image, ...options), { code: 0, err: "" });
  const text = await readFile(join(folder, "deploy/base/deployment.yaml"), "utf8");
  const objects = parseAllDocuments(text).map((document) => document.toJS() as JsonObject);
  assert.deepEqual(
    objects.map((object) => textAt(object, "kind")),
    ["Deployment", "PodDisruptionBudget"],
  );
  const [deployment] = objects;
  assert.deepEqual(objectAt(deployment, "metadata")["namespace"], "shops");
  assert.equal(objectAt(deployment, "spec")["replicas"], 3);
  const [container] = listAt(deployment, "spec", "template", "spec", "containers");
  assert.ok(listAt(container, "args").includes("--etcd-servers=http://a:2379,http://b:2379"));
  const { config, layers } = (await readImageLayout(join(folder, "deploy/image"))).get("shirts") ?? assert.fail();
  assert.deepEqual(config.config.Entrypoint, ["node", "/usr/lib/shirts/dist/main.js"]);
  assert.equal(config.config.Labels["org.opencontainers.image.version"], "1.2.3");
  assert.equal(layers.length, 1);
});

for (const [backend, group, resource] of [
  ["configmaps", "", "configmaps"],
  ["customresources", "shop.storage.gatehouse.dev", "records"],
] as const) {
  test(`objects in ${backend} need no volume, and rights in their namespace alone`, () => {
    const base = extensionBase({
      name: "stall",
      namespace: "stalls",
      image: "r.io/shop:1",
      rotationProgram: "/main.js",
      groups: [{ name: "shop.example.com", versions: ["v1"], resources: [] }],
      replicas: 2,
      storeArguments: [`--storage-backend=${backend}`, "--storage-namespace=objects"],
      inFront: { backend, namespace: "objects", name: "shop" },
      user: 65_532,
    });
    const objects = (file: string) =>
      parseAllDocuments(base.get(file) ?? "").map((document) => document.toJS() as JsonObject);
    const [deployment = {}] = objects("deployment.yaml");
    const volumes = listAt(deployment, "spec", "template", "spec", "volumes");
    assert.deepEqual(
      volumes.map((volume) => textAt(volume, "name")),
      ["tls"],
    );
    const inNamespace = objects("rbac.yaml").filter((object) => textAt(object, "metadata", "namespace") === "objects");
    assert.deepEqual(
      inNamespace.map((object) => [textAt(object, "kind"), textAt(object, "metadata", "name")]),
      [
        ["Role", "stall-storage"],
        ["RoleBinding", "stall-storage"],
      ],
    );
    assert.deepEqual(listAt(inNamespace[0] ?? {}, "rules"), [
      { apiGroups: [group], resources: [resource], verbs: ["create", "delete", "get", "list", "update"] },
      { apiGroups: [group], resources: [resource], resourceNames: ["shop"], verbs: ["watch"] },
    ]);
    assert.deepEqual(listAt(inNamespace[1] ?? {}, "subjects"), [
      { kind: "ServiceAccount", name: "stall", namespace: "stalls" },
    ]);
    const elsewhere = objects("rbac.yaml").filter((object) => JSON.stringify(object).includes(`"${resource}"`));
    assert.equal(elsewhere.length, 1);
    assert.deepEqual(
      objects("definition.yaml").map((object) => textAt(object, "metadata", "name")),
      backend === "customresources" ? ["records.shop.storage.gatehouse.dev"] : [],
    );
    assert.equal(
      listAt(objects("kustomization.yaml")[0] ?? {}, "resources").includes("definition.yaml"),
      backend === "customresources",
    );
  });
}

test("a server that stores nothing has no volume that outlives its pods, and roles for reading alone", () => {
  const loads = defineComputedResource({
    group: "shop.example.com",
    version: "v1",
    resource: "loads",
    kind: "Load",
    namespaced: false,
    list: () => [],
  });
  const base = extensionBase({
    name: "shop",
    namespace: "shops",
    image: "r.io/shop:1",
    rotationProgram: "/main.js",
    groups: [{ name: "shop.example.com", versions: ["v1", "v1beta1"], resources: [loads] }],
    replicas: 2,
    storeArguments: ["--data-dir=/var/lib/shop"],
    volume: { folder: "/var/lib/shop", size: undefined },
    user: 65_532,
  });
  const objects = (file: string) =>
    parseAllDocuments(base.get(file) ?? "").map((document) => document.toJS() as JsonObject);
  const kinds = objects("deployment.yaml").map((object) => textAt(object, "kind"));
  assert.deepEqual(kinds, ["Deployment", "PodDisruptionBudget"]);
  const [deployment = {}] = objects("deployment.yaml");
  const [, data] = listAt(deployment, "spec", "template", "spec", "volumes");
  assert.deepEqual(data, { name: "data", emptyDir: {} });
  const roles = objects("rbac.yaml").filter((object) => textAt(object, "metadata", "name").startsWith("shop:"));
  assert.deepEqual(
    roles.map((object) => textAt(object, "metadata", "name")),
    ["shop:system:auth-delegator", "shop:view"],
  );
  assert.deepEqual(listAt(roles[1] ?? {}, "rules"), [
    { apiGroups: ["shop.example.com"], resources: ["loads"], verbs: ["list"] },
  ]);
  const services = objects("apiservices.yaml").map((object) => [
    textAt(object, "metadata", "name"),
    objectAt(object, "spec")["versionPriority"],
  ]);
  assert.deepEqual(services, [
    ["v1.shop.example.com", 100],
    ["v1beta1.shop.example.com", 99],
  ]);
});
