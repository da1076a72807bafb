import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { makeFolder } from "@gatehouse/component-base/files";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { imageUser, nodeRuntime, writeImageLayout } from "@gatehouse/component-base/images";
import { servingPort } from "@gatehouse/component-base/kustomize";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { runNpm } from "@gatehouse/component-base/projects";
import { validateDns1035Label, validateDns1123Label } from "@gatehouse/envelopes/validation";
import type { ExtensionProgram } from "../../extension/resolve-extension.js";
import { frontBackends } from "../../extension/store-in-front.js";
import { extensionBase } from "./extension-base.js";
import { imageEntries } from "./image-entries.js";
import { type DeploymentStore, deploymentStoreFlags, storeOfDeployment } from "./store-of-deployment.js";

const group = "Deployment";

const flags = defineFlags({
  out: { type: "path", default: "deploy", group, help: "`folder` that image and manifests are written to." },
  image: { type: "string", group, help: "Name of the `image` as the cluster will find it, with its registry and tag." },
  name: { type: "string", group, help: "Name of the Service and of all other objects. Default: that of the program." },
  namespace: { type: "string", group, help: "Namespace of the server. Default: the name." },
  program: {
    type: "path",
    default: "dist/program.js",
    group,
    help: "Compiled `file` that exports the program as `program`.",
  },
  main: { type: "path", default: "dist/main.js", group, help: "Compiled `file` that runs the program." },
  replicas: {
    type: "int",
    default: 1,
    min: 1,
    max: 100,
    group,
    help: "Pods that serve. Several need a store that they share, or none.",
  },
  ...deploymentStoreFlags,
});

type BuildValues = FlagValues<typeof flags>;

/** The folder of the output that holds the image. */
const imageFolder = "image";

/** The program that renews certificates, below the project. */
const rotationProgram = "node_modules/@gatehouse/apiserver/dist/programs/extension/main.js";

/** The command `gatehouse-extension build`, which writes an image of the project, and a kustomize base that runs it. */
export const buildCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-extension build",
      summary:
        "Compiles the project in the current folder, and writes an image of it (an OCI image layout) and a kustomize base that runs it behind the API server of a cluster.",
      flags,
      requiredFlags: ["--image IMAGE"],
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { values } = line;
    const { image, out } = values;
    if (image === undefined) {
      throw new ConfigurationError("flags", [problemAt("--image", "is required")]);
    }
    const runtime = nodeRuntime();
    await refuseForeignFolder(join(out, imageFolder));
    await runNpm(["run", "--silent", "build"], { env: io.env, failure: "the project cannot be compiled" });
    const program = await loadProgram(values.program);
    const { name, namespace, store } = resolveDeployment(values, program);
    const folder = `/usr/lib/${name}`;
    const base = extensionBase({
      name,
      namespace,
      image,
      rotationProgram: `${folder}/${rotationProgram}`,
      groups: program.groups,
      replicas: values.replicas,
      user: imageUser,
      ...store,
    });
    const entries = await imageEntries({ project: ".", folder, userName: name, runtime, env: io.env });
    expectPrograms(entries, folder, values.main);
    const layout = join(out, imageFolder);
    await rm(layout, { recursive: true, force: true });
    const written = await writeImageLayout(layout, {
      entries,
      images: [
        {
          name,
          reference: image,
          entrypoint: ["node", `${folder}/${values.main}`],
          cmd: [],
          user: `${imageUser}:${imageUser}`,
          ports: [servingPort],
          workingDir: folder,
          env: ["NODE_ENV=production", ...runtime.env],
          stopSignal: "SIGTERM",
        },
      ],
      platform: runtime.platform,
      version: await projectVersion(),
      time: Number(io.env["SOURCE_DATE_EPOCH"] ?? 0),
      createdBy: "gatehouse-extension build",
    });
    await makeFolder(join(out, "base"));
    for (const [file, text] of base) {
      await writeFile(join(out, "base", file), text);
    }
    io.print(
      [
        `written to ${out}: the image ${image} (${runtime.platform}, ${written.get(name)?.digest}) and a kustomize base; next:`,
        `  crane push ${layout} ${image}`,
        `  kubectl apply -k ${out}/base`,
      ].join("\n"),
    );
    return 0;
  },
};

/** Rejects when the folder that is to be written anew holds anything else than a layout. */
async function refuseForeignFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.length > 0 && !names.includes("oci-layout")) {
    throw new ConfigurationError("flags", [problemAt("--out", `${folder} is there, and is no image layout`)]);
  }
}

/** Imports the program of the project. Rejects with ConfigurationError when the file exports none. */
async function loadProgram(file: string): Promise<ExtensionProgram> {
  const path = resolve(file);
  if (!existsSync(path)) {
    throw new ConfigurationError("flags", [problemAt("--program", `${file} is not there`)]);
  }
  const { program }: { readonly program?: Partial<ExtensionProgram> } = await import(pathToFileURL(path).href);
  if (typeof program?.name !== "string" || !Array.isArray(program.groups)) {
    throw new ConfigurationError("flags", [
      problemAt("--program", `${file} exports no \`program\` with a name and groups`),
    ]);
  }
  return program as ExtensionProgram;
}

/** Returns the names of the deployment and where its objects are. Throws ConfigurationError with all problems. */
function resolveDeployment(
  values: BuildValues,
  program: ExtensionProgram,
): { readonly name: string; readonly namespace: string; readonly store: DeploymentStore } {
  const name = values.name ?? program.name;
  const namespace = values.namespace ?? name;
  const problems: Problem[] = [
    ...validateDns1035Label(name).map((text) => problemAt("--name", text)),
    ...validateDns1123Label(namespace).map((text) => problemAt("--namespace", text)),
  ];
  const store = storeOfDeployment(values, program, { name, namespace }, problems);
  if (!store.isShared && values.replicas > 1) {
    const text = `the embedded store has one server: give --etcd-servers or --storage-backend=${frontBackends} to share a store`;
    problems.push(problemAt("--replicas", text));
  }
  if (problems.length > 0) {
    throw new ConfigurationError("flags", problems);
  }
  return { name, namespace, store };
}

/** Throws ConfigurationError when a program that pods run is not among the files of the image. */
function expectPrograms(entries: readonly { readonly name: string }[], folder: string, main: string): void {
  const names = new Set(entries.map(({ name }) => name));
  const problems = [
    [main, "is not there after `npm run build`"],
    [rotationProgram, "is not installed: @gatehouse/apiserver must be among the dependencies"],
  ]
    .filter(([path]) => !names.has(`${folder.slice(1)}/${path}`))
    .map(([path = "", text = ""]) => problemAt(path, text));
  if (problems.length > 0) {
    throw new ConfigurationError("project", problems);
  }
}

async function projectVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  return String(version ?? "");
}
