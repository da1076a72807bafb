#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";

/** Runs the program that the first words of the command line name. Each loads what it needs alone. */
async function main([word, ...rest]: readonly string[]): Promise<void> {
  switch (word) {
    case "check": {
      const [{ runCheck }, io] = await Promise.all([import("./check-command.js"), outputs()]);
      process.exitCode = runCheck(rest, io);
      return;
    }
    case "etcd": {
      const [{ runEtcd }, io] = await Promise.all([import("./etcd-command.js"), outputs()]);
      process.exitCode = await runEtcd(rest, io);
      return;
    }
    case "envtest":
      return runEnvtest(rest);
    default: {
      const { runServer } = await import("./run-server.js");
      return runServer(word === undefined ? [] : [word, ...rest]);
    }
  }
}

/** Runs one of the pair that test harnesses start in place of the real programs. */
async function runEnvtest([program, ...argv]: readonly string[]): Promise<void> {
  switch (program) {
    // Their ports are open while the programs are loaded.
    case "etcd": {
      const { holdEtcdPort } = await import("./envtest/held-port.js");
      const port = await holdEtcdPort(argv);
      const { runEtcd } = await import("./envtest/run-etcd.js");
      return runEtcd(argv, port);
    }
    case "kube-apiserver": {
      const { holdApiServerPort } = await import("./envtest/held-port.js");
      const port = await holdApiServerPort(argv);
      const { runApiServer } = await import("./envtest/run-api-server.js");
      return runApiServer(argv, port);
    }
    default:
      process.stderr.write("gatehouse-apiserver envtest: the next argument must be kube-apiserver or etcd\n");
      process.exitCode = 1;
  }
}

async function outputs(): Promise<{ readonly out: (line: string) => void; readonly err: (line: string) => void }> {
  const { processIo } = await import("@gatehouse/component-base/commands");
  const io = processIo();
  return { out: io.print, err: io.printError };
}

void main(process.argv.slice(2));
