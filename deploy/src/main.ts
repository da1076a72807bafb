#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { processIo, runCommands } from "@gatehouse/component-base/commands";
import { upCommand } from "./up-command.js";

/** The program `gatehouse`: `up`, whose word may be left out, and commands for deployments and for stored data. */
const program = {
  name: "gatehouse",
  defaultCommand: "up",
  commands: [
    { name: "up", summary: "Start a local control plane, and stop it at Ctrl-C.", load: async () => upCommand },
    {
      name: "pki",
      summary: "Make the certificates, keys and kubeconfigs of a deployment.",
      // Loaded on demand, so that `up` starts without it.
      load: async () => (await import("./deployment-pki/pki-command.js")).pkiCommand,
    },
    {
      name: "envtest",
      summary: "Install kube-apiserver and etcd for envtest and other test harnesses.",
      load: async () => (await import("./envtest/envtest-command.js")).envtestCommand,
    },
    {
      name: "backup",
      summary: "Write all that an API server has stored into a file, or the changes since the last backup.",
      load: async () => (await import("@gatehouse/server/data-commands")).backupCommand,
    },
    {
      name: "restore",
      summary: "Fill a new data directory, or etcd, from backups, as of any revision that they keep.",
      load: async () => (await import("@gatehouse/server/data-commands")).restoreCommand,
    },
    {
      name: "migrate",
      summary: "Copy everything from a data directory into etcd, or back, and compare.",
      load: async () => (await import("@gatehouse/server/data-commands")).migrateCommand,
    },
    {
      name: "check",
      summary: "Tell what an API server would say of manifests, without a cluster.",
      load: async () => (await import("./check/check-command.js")).checkCommand,
    },
    {
      name: "check-data",
      summary: "Tell what is whole and what is damaged in a data directory or in etcd.",
      load: async () => (await import("@gatehouse/server/data-commands")).checkDataCommand,
    },
  ],
};

async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runCommands(program, argv, processIo());
}

void main(process.argv.slice(2));
