import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { closestName } from "./closest-name.js";
import { defineFlags } from "./define-flags.js";
import { formatHelp } from "./flag-help.js";
import { parseFlags } from "./parse-flags.js";

const table = defineFlags({
  "bind-address": { type: "string", default: "0.0.0.0", group: "secure serving", help: "The `ip` to listen on." },
  "secure-port": { type: "int", default: 6443, min: 0, max: 65535, group: "secure serving", help: "The port." },
  "client-ca-file": { type: "path", group: "authentication", help: "Authorities." },
  "anonymous-auth": { type: "bool", default: true, group: "authentication", help: "Allow anonymous requests." },
  profiling: {
    type: "bool",
    default: true,
    group: "features",
    help: "Profiling.",
    unsupported: "it is not built yet.",
  },
  "request-timeout": { type: "duration", default: "1m0s", group: "generic", help: "How long a request may take." },
  "goaway-chance": { type: "float", default: 0, min: 0, max: 0.02, group: "generic", help: "Chance." },
  "authorization-mode": {
    type: "stringList",
    default: ["AlwaysAllow"],
    choices: ["AlwaysAllow", "RBAC", "Node"],
    group: "authorization",
    help: "Ordered list of plug-ins.",
  },
  "tls-sni-cert-key": { type: "stringList", keepCommas: true, group: "secure serving", help: "Pairs." },
  "runtime-config": { type: "keyValue", missingValue: "true", group: "generic", help: "Turns APIs on and off." },
  "log-format": { type: "string", choices: ["text", "json"], default: "text", group: "logs", help: "Format." },
  verbosity: { type: "int", default: 0, shorthand: "v", group: "logs", help: "Log level." },
  "old-flag": { type: "string", group: "generic", help: "Old.", deprecated: "use --new-flag instead" },
});

function run(...argv: string[]) {
  const parsed = parseFlags(table, argv);
  assert.equal(parsed.outcome, "run", JSON.stringify(parsed));
  return parsed.outcome === "run" ? parsed : assert.fail();
}

function problems(...argv: string[]): string[] {
  const parsed = parseFlags(table, argv);
  return parsed.outcome === "invalid" ? parsed.problems.map((problem) => problem.message) : assert.fail();
}

test("defaults are typed values, with durations in milliseconds", () => {
  const { values, given } = run();
  const port: number = values["secure-port"];
  const ca: string | undefined = values["client-ca-file"];
  const modes: readonly ("AlwaysAllow" | "RBAC" | "Node")[] = values["authorization-mode"];
  const format: "text" | "json" = values["log-format"];
  // @ts-expect-error an unsupported flag has no value
  assert.equal(values["profiling"], undefined);
  assert.deepEqual([port, ca, modes, format], [6443, undefined, ["AlwaysAllow"], "text"]);
  assert.equal(values["request-timeout"], 60_000);
  assert.equal(values["anonymous-auth"], true);
  assert.equal(given.size, 0);
});

test("every spelling of a flag is read", () => {
  const { values, given } = run(
    "--bind-address",
    "127.0.0.1",
    "--secure_port=0",
    "--anonymous-auth=false",
    "--authorization-mode=Node,RBAC",
    "--authorization-mode=AlwaysAllow",
    "--runtime-config=api/all,apps/v1=false",
    "--runtime-config=batch/v1=true",
    "--tls-sni-cert-key=a.crt,a.key:*.a.example",
    "--goaway-chance=.01",
    "-v",
    "4",
    "--request-timeout=1.5s",
    "--client-ca-file=",
  );
  assert.equal(values["bind-address"], "127.0.0.1");
  assert.equal(values["secure-port"], 0);
  assert.equal(values["anonymous-auth"], false);
  assert.deepEqual(values["authorization-mode"], ["Node", "RBAC", "AlwaysAllow"]);
  assert.deepEqual(
    [...values["runtime-config"]],
    [
      ["api/all", "true"],
      ["apps/v1", "false"],
      ["batch/v1", "true"],
    ],
  );
  assert.deepEqual(values["tls-sni-cert-key"], ["a.crt,a.key:*.a.example"]);
  assert.equal(values["goaway-chance"], 0.01);
  assert.equal(values["verbosity"], 4);
  assert.equal(values["request-timeout"], 1500);
  assert.equal(values["client-ca-file"], undefined);
  assert.ok(given.has("secure-port"));
  assert.equal(run("-v=3").values["verbosity"], 3);
  assert.equal(run("-v3").values["verbosity"], 3);
  assert.equal(run("--secure-port=1", "--secure-port=2").values["secure-port"], 2);
});

test("every problem is listed at once, each with its flag", () => {
  assert.deepEqual(
    problems(
      "--secure-prot=1",
      "--nothing-like-it",
      "value",
      "--secure-port=70000",
      "--secure-port=x",
      "--request-timeout=5",
      "--anonymous-auth=maybe",
      "--authorization-mode=RBAC,Rbac",
      "--log-format=xml",
      "--profiling=false",
      "stray",
      "-x",
      "--=a",
      "--bind-address",
    ),
    [
      "unknown flag: --secure-prot, did you mean --secure-port?",
      "unknown flag: --nothing-like-it",
      'invalid argument "70000" for "--secure-port" flag: must be between 0 and 65535, inclusive',
      'invalid argument "x" for "--secure-port" flag: must be a whole number',
      'invalid argument "5" for "--request-timeout" flag: must be a duration such as 300ms, 1.5h or 2h45m',
      'invalid argument "maybe" for "--anonymous-auth" flag: must be true or false',
      'invalid argument "RBAC,Rbac" for "--authorization-mode" flag: "Rbac" is not one of AlwaysAllow, RBAC, Node',
      'invalid argument "xml" for "--log-format" flag: "xml" is not one of text, json',
      "flag --profiling is not supported: it is not built yet.",
      'unexpected argument: "stray"',
      'unknown shorthand flag: "x" in -x',
      "bad flag syntax: --=a",
      "flag needs an argument: --bind-address",
    ],
  );
  assert.deepEqual(problems("--", "--secure-port=1"), ['unexpected argument: "--secure-port=1"']);
});

test("an unsupported flag may be given with the value that it has anyway", () => {
  assert.equal(run("--profiling=true").outcome, "run");
});

test("a deprecated flag works and warns once", () => {
  const { values, warnings } = run("--old-flag=a", "--old-flag=b");
  assert.equal(values["old-flag"], "b");
  assert.deepEqual(warnings, ["Flag --old-flag has been deprecated, use --new-flag instead"]);
});

test("help and version win over everything else", () => {
  assert.deepEqual(parseFlags(table, ["--no-such", "--help"]), { outcome: "help" });
  assert.deepEqual(parseFlags(table, ["-h"]), { outcome: "help" });
  assert.deepEqual(parseFlags(table, ["--version"]), { outcome: "version" });
});

test("help shows groups, types, defaults and wrapped text, and leaves out what is not supported", () => {
  const help = formatHelp(table, { command: "gatehouse-apiserver", summary: "Serves the API.", columns: 58 });
  assert.match(help, /^Serves the API\.\n\nUsage:\n {2}gatehouse-apiserver \[flags\]\n\nSecure serving flags:\n/);
  assert.match(help, /\n {6}--bind-address ip\n {16}The ip to listen on\. \(default "0\.0\.0\.0"\)\n/);
  assert.match(help, /\n {6}--request-timeout duration\n {16}How long a request may take\. \(default\n {16}1m0s\)\n/);
  assert.match(help, /\n {2}-v, --verbosity int\n/);
  assert.match(help, /\n {6}--anonymous-auth\n {16}Allow anonymous requests\. \(default true\)\n/);
  assert.match(help, /\(default\s+\[AlwaysAllow\]\)/);
  assert.match(help, /\(DEPRECATED: use --new-flag instead\)/);
  assert.match(help, /\nGlobal flags:\n\n {2}-h, --help\n/);
  assert.doesNotMatch(help, /profiling/);
  assert.ok(help.split("\n").every((line) => line.length <= 58));
});

test("a table that contradicts itself is refused", () => {
  const flag = { group: "generic", help: "x" } as const;
  assert.throws(() => defineFlags({ Bad_Name: { ...flag, type: "bool" } }), TypeError);
  assert.throws(() => defineFlags({ help: { ...flag, type: "bool" } }), TypeError);
  assert.throws(() => defineFlags({ wait: { ...flag, type: "duration", default: "5" } }), TypeError);
  assert.throws(() => defineFlags({ port: { ...flag, type: "int", default: 7, max: 5 } }), TypeError);
  assert.throws(
    () => defineFlags({ a: { ...flag, type: "bool", shorthand: "a" }, b: { ...flag, type: "bool", shorthand: "a" } }),
    TypeError,
  );
});

test("list values follow the quoting of one CSV line", () => {
  const lists = defineFlags({ list: { type: "stringList", group: "generic", help: "x" } });
  const read = (text: string) => {
    const parsed = parseFlags(lists, [`--list=${text}`]);
    return parsed.outcome === "run" ? parsed.values.list : undefined;
  };
  assert.deepEqual(read('a,"b,c","d""e",'), ["a", "b,c", 'd"e', ""]);
  assert.deepEqual(read(""), []);
  assert.equal(read('a,"b'), undefined);
  assert.equal(read('a"b"'), undefined);
});

test("no command line makes the parser throw", () => {
  const part = fc.oneof(fc.string(), fc.constantFrom("--secure-port", "--", "-", "-v", "--runtime-config=", "--list"));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (argv) => {
      parseFlags(table, argv);
    }),
  );
});

test("a suggestion is made only for a near name", () => {
  assert.equal(closestName("etcd-server", ["etcd-servers", "event-ttl"]), "etcd-servers");
  assert.equal(closestName("prot", ["port", "proxy"]), "port");
  assert.equal(closestName("kubelet", ["etcd-servers", "event-ttl"]), undefined);
});
