import { writeFile } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { makeFolder } from "@gatehouse/component-base/files";
import { defineFlags } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { dockerfile, dockerignore } from "../build/dockerfile.js";
import { hooksBase } from "../build/hooks-base.js";
import { imageSources } from "../build/image-sources.js";
import { hookFlags, loadHooksOfFlags } from "./hook-flags.js";

const group = "Deployment";

const flags = defineFlags({
  ...hookFlags,
  out: { type: "path", default: "deploy", group, help: "`folder` that the files are written to." },
  name: { type: "string", default: "gatehouse-admission", group, help: "Name of the objects." },
  namespace: {
    type: "string",
    default: "gatehouse-admission",
    group,
    help: "The hooks' own namespace, which they leave alone.",
  },
  image: { type: "string", group, help: "Name of the container `image` that Dockerfile makes." },
  replicas: { type: "int", default: 2, min: 1, max: 100, group, help: "Pods that serve the hooks." },
  "allow-any-caller": {
    type: "bool",
    group,
    help: "Believe everybody in the cluster, for API servers that show no certificate.",
  },
});

/** The command `gatehouse-admission build`, which writes a container file and a kustomize base for the hooks. */
export const buildCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission build",
      summary:
        "Writes a container file, and a kustomize base that runs the hooks, registers them and renews their certificates.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { values } = line;
    const { image } = values;
    const files = [...(values.config === undefined ? [] : [values.config]), ...values.module];
    const problems: Problem[] = files
      .filter((file) => isAbsolute(file) || relative(".", file).startsWith(".."))
      .map((file) => problemAt(file, "must be a relative path inside of the project, which becomes the image"));
    if (image === undefined) {
      problems.push(problemAt("--image", "is required"));
    }
    if (problems.length > 0 || image === undefined) {
      throw new ConfigurationError("flags", problems);
    }
    const sources = await imageSources();
    const { hooks, converters } = await loadHooksOfFlags(values);
    if (converters.length > 0) {
      io.printError("converters need more rights than the base gives: to patch their definitions, by name");
    }
    const { name, namespace, replicas, "allow-any-caller": allowAnyCaller } = values;
    const hookArguments = [
      ...(values.config === undefined ? [] : [`--config=/hooks/${values.config}`]),
      ...values.module.map((file) => `--module=/hooks/${file}`),
    ];
    const base = hooksBase({ hooks, name, namespace, image, hookArguments, replicas, allowAnyCaller });
    await makeFolder(join(values.out, "base"));
    const written = [
      ["Dockerfile", dockerfile(sources)] as const,
      ["Dockerfile.dockerignore", dockerignore] as const,
      ...[...base].map(([file, text]) => [`base/${file}`, text] as const),
    ];
    for (const [file, text] of written) {
      await writeFile(join(values.out, file), text);
    }
    io.print(
      `written to ${values.out}; next:\n  docker build -f ${values.out}/Dockerfile -t ${image} .\n  kubectl apply -k ${values.out}/base`,
    );
    return 0;
  },
};
