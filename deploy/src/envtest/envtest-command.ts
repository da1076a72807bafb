import { resolve } from "node:path";
import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { problemAt } from "@gatehouse/component-base/problems";
import { installPrograms } from "./install-programs.js";

const form = {
  command: "gatehouse envtest",
  summary:
    "Writes kube-apiserver and etcd into a folder, and links kubectl, for envtest and other harnesses that start them (KUBEBUILDER_ASSETS).",
  flags: defineFlags({}),
  operands: ["install", "DIR"],
};

/** `gatehouse envtest`: the programs that test harnesses start in place of kube-apiserver and etcd. */
export const envtestCommand: Command = {
  async run(argv, io) {
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const [verb, directory = "."] = line.operands;
    if (verb !== "install") {
      throw new ConfigurationError("arguments", [problemAt(verb ?? "", "the only command of envtest is install")]);
    }
    const folder = resolve(directory);
    const { kubectl } = await installPrograms(folder, io.env["PATH"] ?? "");
    io.print(`kube-apiserver and etcd are in ${folder}${kubectl === undefined ? "" : ", and a link to kubectl"}.`);
    if (kubectl === undefined) {
      io.print("There is no kubectl on PATH; harnesses that use it need one beside them.");
    }
    io.print(`  export KUBEBUILDER_ASSETS=${folder}`);
    return 0;
  },
};
