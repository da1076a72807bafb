import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type FlagDefinition, parseFlags } from "@gatehouse/component-base/flags";
import { resolveServerConfig, serverFlags } from "@gatehouse/server";
import { type RecordedFlag, readRecording } from "./recorded-flags.js";

const definitions: Readonly<Record<string, FlagDefinition>> = serverFlags;

/** Types of flags here, by the types of Go's flags that they read. Values of other types are named after their form. */
const typesOf: Readonly<Record<string, readonly FlagDefinition["type"][]>> = {
  bool: ["bool"],
  int: ["int"],
  float: ["float"],
  ip: ["ip"],
  duration: ["duration"],
  strings: ["stringList"],
  string: ["string", "path"],
};

/** Flags of v1.29 that the parser itself knows. */
const ownFlags: ReadonlySet<string> = new Set(["help", "version"]);

/** Values that cannot be written on a command line, also that of v1.29: no address, and empty lists and maps of texts. */
function isUnwritable({ type, default: value }: RecordedFlag): boolean {
  return (
    value === "<nil>" || (value === "[]" && ["stringArray", "stringToString", "namedCertKey"].includes(type ?? ""))
  );
}

/** Returns the argument that gives a flag its default. */
function defaultArgument({ name, default: value }: RecordedFlag): string {
  return `--${name}=${value.replace(/^\[(.*)\]$/, "$1")}`;
}

/** The exceptions, each with its reason. Values are words that are told instead; undefined: the flags are accepted. */
const differences: ReadonlyMap<string, { readonly words: string | undefined; readonly reason: string }> = new Map([
  ["--secure-port=70000", { words: "must be between 0 and 65535", reason: "0 picks a free port here" }],
  ["--secure-port=-1", { words: "must be between 0 and 65535", reason: "0 picks a free port here" }],
  ["--apiserver-count=0", { words: "must be between 1 and 1000", reason: "the type of the flag says so" }],
  ["--logging-format=xml", { words: '"xml" is not one of text, json', reason: "the type of the flag says so" }],
  ["--vmodule=a", { words: '"a" must have the form key=value', reason: "the type of the flag says so" }],
  ["--cloud-provider=aws", { words: '"aws" is not one of', reason: "the type of the flag says so" }],
  ["--kubernetes-service-node-port=70000", { words: "must be between 0 and 65535", reason: "the type of the flag" }],
  ["--service-node-port-range=1-", { words: "is not a range of ports", reason: "checked with all other options" }],
  ["--feature-gates=Foo=true", { words: "unrecognized feature gate: Foo", reason: "checked with all other options" }],
  [
    "--feature-gates=CPUManager=false",
    { words: "cannot set feature gate CPUManager to false, feature is locked to true", reason: "checked later" },
  ],
  ["--feature-gates=AppArmor", { words: "missing bool value for AppArmor", reason: "checked with all other options" }],
  ["--feature-gates=AppArmor=x", { words: "invalid value of AppArmor=x, err: strconv", reason: "checked later" }],
  ["--storage-backend=etcd2", { words: '"etcd2" is not one of', reason: "there is another backend here" }],
  ["--storage-media-type=text/plain", { words: '"text/plain" is not one of', reason: "the type of the flag says so" }],
  ["--admission-control=Foo", { words: '"Foo" is not an admission plugin', reason: "as all flags of plugins say" }],
  ["--enable-admission-plugins=Foo", { words: '"Foo" is not an admission plugin', reason: "as all flags of plugins" }],
  ["--disable-admission-plugins=Foo", { words: '"Foo" is not an admission plugin', reason: "as all flags of plugins" }],
  ["--tls-sni-cert-key=a", { words: "expected comma separated certificate and key", reason: "checked later" }],
  ["--tls-sni-cert-key=a,b:", { words: "empty names list is not allowed", reason: "checked with all other options" }],
  ["--tls-sni-cert-key=a,b,c", { words: "expected comma separated certificate and key", reason: "checked later" }],
  ["--v=0x2", { words: undefined, reason: "all whole numbers are read alike" }],
  ["--v=-1", { words: "must be between 0 and", reason: "the type of the flag says so" }],
  ["--help=x", { words: undefined, reason: "whoever wants help gets it" }],
  ["--version=x", { words: undefined, reason: "whoever wants the version gets it" }],
  ["stray", { words: 'unexpected argument: "stray"', reason: "as all programs of the project say" }],
  ["--v=x", { words: 'invalid argument "x" for "--v" flag', reason: "the shorthand is not repeated" }],
  [
    "--runtime-config=api/all=false",
    { words: "invalid key with only api/all=false", reason: "it says so of flow control, too" },
  ],
]);

/** Flags and values with which this server starts where kube-apiserver does not, or the other way about, each with the reason. */
const otherVerdicts: readonly (readonly [lines: RegExp, reason: string])[] = [
  [/=-1(s|$)|=NaN$/, "v1.29 takes numbers and durations below zero that have no meaning; they are refused here"],
  [/-(timeout|workers)=0$/, "v1.29 takes limits of zero, with which nothing works; they are refused here"],
  [/^--goaway-chance=/, "v1.29 names the limits 0 and 0.02 in its help, and does not check them"],
  [/^--(cors-allowed-origins|strict-transport-security-directives)=/, "v1.29 does not check what it says of values"],
  [/^--authorization-webhook-version=/, "v1.29 looks at the version where there is a webhook"],
  [/^--etcd-(ca|cert|key)file=/, "v1.29 always has etcd"],
  [/^--(kubelet-client|proxy-client)-/, "half of a pair of certificate and key is refused here"],
  [/^--permit-port-sharing=T$/, "Node may not be able to share ports; it is refused there"],
  [/^--(help|version|v|secure-port)=/, "as in the list above"],
  [/^--[a-z-]+-(file|provider-config)=x$/, "files are read when the server starts, not with its options"],
  [/^--bind-address=(1\.2\.3\.4|::1)$/, "addresses of this machine are looked at when the server starts"],
  [/^--service-account-key-file=$/, "an empty name of a file is none here"],
  [/^--oidc-[a-z-]+=$/, "v1.29 counts a flag without a value as a setting of OIDC"],
  [/^--cloud-(config|provider-gce-[a-z0-9-]+)=/, "values that have no effect are not looked at"],
  [/^--log-flush-frequency=0$/, "v1.29 panics"],
];

const needed = [
  // The default of v1.29, which messages show.
  "--service-cluster-ip-range=10.0.0.0/24",
  "--service-account-issuer=https://issuer.example",
  "--service-account-key-file=/k",
  "--service-account-signing-key-file=/k",
];

/** Returns the problems of a command line, as text; undefined when the server would start. */
function problemsOf(flags: readonly string[]): string | undefined {
  const parsed = parseFlags(serverFlags, [...needed, ...flags]);
  if (parsed.outcome === "invalid") {
    return parsed.problems.map(({ message }) => message).join("\n");
  }
  if (parsed.outcome !== "run") {
    return undefined;
  }
  try {
    resolveServerConfig(parsed.values);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.message;
  }
}

/** Returns the part of a refusal that does not depend on the words of Go's standard library. */
function comparable(words: string): string {
  return /^invalid argument ".*" for ".*" flag: (?=strconv|time)/.exec(words)?.[0] ?? words;
}

describe("The flags of kube-apiserver v1.29, as recorded", () => {
  const { flags, refusals, values } = readRecording();

  it("are all known, with the same type", () => {
    const wrong = flags
      .filter(({ name }) => !ownFlags.has(name))
      .filter(({ name, type }) => {
        const here = definitions[name]?.type;
        const expected = type === undefined ? undefined : typesOf[type];
        return here === undefined || (expected !== undefined && !expected.includes(here));
      })
      .map(({ name, type }) => `${name}: ${type} is ${definitions[name]?.type}`);
    assert.deepEqual(wrong, []);
  });

  it("are never refused with their default, alone or all together", () => {
    const all = flags.filter((flag) => !isUnwritable(flag));
    const alone = all.filter(({ name }) => !needed.some((flag) => flag.startsWith(`--${name}=`)));
    const refused = alone.map(defaultArgument).filter((argument) => problemsOf([argument]) !== undefined);
    assert.deepEqual(refused, []);
    const parsed = parseFlags(serverFlags, [...all.map(defaultArgument), ...needed]);
    assert.ok(parsed.outcome === "run", JSON.stringify(parsed));
    assert.deepEqual(
      parsed.warnings.filter((warning) => !warning.includes("has been deprecated")),
      [],
    );
  });

  for (const { flags: asked, words } of refusals) {
    const line = asked.join(" ");
    it(`are ${words === undefined ? "accepted" : "refused"} as there: ${line}`, () => {
      const difference = differences.get(line);
      const expected = difference === undefined ? words : difference.words;
      const told = problemsOf(asked);
      if (expected === undefined) {
        assert.equal(told, undefined);
      } else {
        assert.ok(told?.includes(comparable(expected)), `${told} should say: ${expected}`);
      }
    });
  }

  for (const [name, { accepted, refused }] of Object.entries(values)) {
    it(`take and refuse the same values of --${name}, except for listed ones`, () => {
      for (const value of [...accepted, ...refused]) {
        const line = `--${name}=${value}`;
        const told = problemsOf([line]);
        const isOther = (told === undefined) !== accepted.includes(value);
        assert.ok(!isOther || otherVerdicts.some(([lines]) => lines.test(line)), `${line}: ${told ?? "is accepted"}`);
        // Some are refused for want of another one: of their pair, or of their feature.
        const family = `--${name.split("-", 1)[0]}`;
        assert.ok(told === undefined || told.includes(family), `${told} should name ${family}`);
      }
    });
  }

  it("need every exception of the list of verdicts", () => {
    const lines = Object.entries(values).flatMap(([name, { accepted, refused }]) => {
      const isOther = (value: string): boolean =>
        (problemsOf([`--${name}=${value}`]) === undefined) !== accepted.includes(value);
      return [...accepted, ...refused].filter(isOther).map((value) => `--${name}=${value}`);
    });
    const idle = otherVerdicts.filter(([pattern]) => !lines.some((line) => pattern.test(line)));
    assert.deepEqual(idle, []);
  });
});
