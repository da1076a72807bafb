import assert from "node:assert/strict";
import { test } from "node:test";
import commandLine from "./command-line.cjs";

const application = {
  folder: "/files",
  programs: { gatehouse: "deploy/gatehouse.js", "kubectl-gatehouse": "deploy/kubectl.js", "gatehouse-audit": "a.js" },
};
const run = (script, ...args) => ({ script: `/files/${script}`, args, imports: [], v8Flags: [] });

for (const { title, argv0, argv, expected } of [
  {
    title: "an executable of any name is gatehouse",
    argv0: "./gatehouse-linux-amd64",
    argv: ["up", "--port=1"],
    expected: run("deploy/gatehouse.js", "up", "--port=1"),
  },
  {
    title: "the first argument names a program",
    argv0: "gatehouse",
    argv: ["gatehouse-audit", "verify"],
    expected: run("a.js", "verify"),
  },
  {
    title: "an executable that is called by the name of a program is that program",
    argv0: "/usr/bin/kubectl-gatehouse",
    argv: ["why", "gatehouse-audit"],
    expected: run("deploy/kubectl.js", "why", "gatehouse-audit"),
  },
  {
    title: "a name that every object has is an argument",
    argv0: "gatehouse",
    argv: ["constructor"],
    expected: run("deploy/gatehouse.js", "constructor"),
  },
  {
    title: "a program starts another one as it would with node",
    argv0: "/opt/gatehouse",
    argv: ["--max-semi-space-size=1", "--import", "file:///files/first.mjs", "/files/a.js", "serve", "--port=1"],
    expected: {
      script: "/files/a.js",
      args: ["serve", "--port=1"],
      imports: ["file:///files/first.mjs"],
      v8Flags: ["--max-semi-space-size=1"],
    },
  },
  {
    title: "a script of somebody else is an argument",
    argv0: "gatehouse",
    argv: ["/files-of-others/a.js"],
    expected: run("deploy/gatehouse.js", "/files-of-others/a.js"),
  },
]) {
  test(title, () => assert.deepEqual(commandLine.readCommandLine(argv0, argv, application), expected));
}
