import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { parseYamlDocuments } from "@gatehouse/envelopes/codec";
import { runCommand } from "./run-command.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-commands-"));
after(() => rm(folder, { recursive: true }));
const root = fileURLToPath(new URL("../../../../../", import.meta.url));

const environment = { PATH: process.env["PATH"] };

function run(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  return runWith(environment, ...argv);
}

async function runWith(env: NodeJS.ProcessEnv, ...argv: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const print = (line: string): void => void out.push(line);
  const printError = (line: string): void => void err.push(line);
  const code = await runCommand(argv, { print, printError, process: thisProcess, env });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

async function write(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, text);
  return file;
}

async function emptyFolder(name: string): Promise<string> {
  await mkdir(join(folder, name));
  return join(folder, name);
}

const head = "apiVersion: config.gatehouse.dev/v1alpha1\nkind: AdmissionServerConfiguration\n";
const config = await write(
  "config.yaml",
  `${head}hooks: [{name: no-latest-tag.example.com, library: {noLatestTag: {}}}]\n`,
);

test("help lists the commands, each of which tells its flags; version is printed", async () => {
  for (const asked of ["help", "--help", "-h"]) {
    assert.match((await run(asked)).out, /check .*Check manifests in CI[\s\S]*Without a command, serve is run\. Each/);
  }
  assert.match((await run("check", "--help")).out, /gatehouse-admission check PATH...[\s\S]*--output/);
  assert.equal((await run("--version")).out, "gatehouse-admission v0.1.0");
  assert.deepEqual(await run("chek"), {
    code: 1,
    out: "",
    err: "gatehouse-admission: there is no command chek; did you mean check?",
  });
});

const misconfigured: readonly [name: string, text: string, message: string][] = [
  ["an unknown member", "hooks: [{name: a.b.c, libary: {}}]", "hooks[0].libary: is not a member of this kind"],
  ["an unknown mode", "hooks: [{name: a.b.c, mode: Maybe}]", "hooks[0].mode: must be one of Enforce, Warn, Audit, Off"],
  [
    "a hook that nobody has",
    "hooks: [{name: a.b.c}]",
    "hooks[0]: no module has a hook a.b.c, and it names none of the library",
  ],
  [
    "two hooks in one",
    "hooks: [{name: a.b.c, library: {noLatestTag: {}, resourceLimits: {}}}]",
    "hooks[0]: exactly one member must say which hook of the library this is, and 2 do",
  ],
  [
    "an exception for all and ever",
    "hooks: [{name: a.b.c, library: {noLatestTag: {}}, exceptions: [{reason: x, expires: soon}]}]",
    "2 problems:\n  - hooks[0].exceptions[0].expires: is not a time in RFC 3339, such as 2030-01-31T00:00:00Z\n  - hooks[0].exceptions[0]: must say for which namespaces, names or users it is; to except all, set the mode",
  ],
];

for (const [name, text, message] of misconfigured) {
  test(`a configuration with ${name} is refused with its path`, async () => {
    const file = await write("wrong.yaml", `${head}${text}\n`);
    const { code, err } = await run("register", "--config", file, "--url", "https://a");
    assert.deepEqual([code, err], [1, `gatehouse-admission: ${file}: ${message}`]);
  });
}

test("a server without certificates, or without anybody who may call, does not start", async () => {
  assert.match(
    (await run("--config", config)).err,
    /--tls-cert-file: is required[\s\S]*--tls-private-key-file: is required/,
  );
});

const expressionsUrl = new URL("../../../toolkit/expressions/index.js", import.meta.url).href;
const toolkitUrl = new URL("../../../toolkit/index.js", import.meta.url).href;

test("policies prints the hooks that are made of expressions, and names those that are not", async () => {
  const module = await write(
    "policies.mjs",
    `import { allow, validatingHook } from ${JSON.stringify(toolkitUrl)};
import { eq, orValue, policyHook } from ${JSON.stringify(expressionsUrl)};
const rules = [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }];
const namespaceSelector = { matchLabels: { a: "b" } };
const validations = ({ object }) => [{ check: eq(orValue(object.immutable, false), true), message: "no: 'changes'" }];
export const hooks = [
  policyHook({ name: "immutable.example.com", rules, namespaceSelector, failurePolicy: "Ignore", validations }),
  validatingHook({ name: "other.example.com", rules, handler: () => allow() }),
];`,
  );
  const { code, out, err } = await run("policies", module, "--actions=Warn,Audit");
  const metadata = { name: "immutable.example.com" };
  const apiVersion = "admissionregistration.k8s.io/v1beta1";
  assert.deepEqual(
    (await parseYamlDocuments(out)).map(({ value }) => value),
    [
      {
        apiVersion,
        kind: "ValidatingAdmissionPolicy",
        metadata,
        spec: {
          failurePolicy: "Ignore",
          matchConstraints: {
            matchPolicy: "Equivalent",
            namespaceSelector: { matchLabels: { a: "b" } },
            resourceRules: [
              { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
            ],
          },
          validations: [
            { expression: "object.?immutable.orValue(false) == true", message: "no: 'changes'", reason: "Invalid" },
          ],
        },
      },
      {
        apiVersion,
        kind: "ValidatingAdmissionPolicyBinding",
        metadata,
        spec: { policyName: "immutable.example.com", validationActions: ["Warn", "Audit"] },
      },
    ],
  );
  assert.deepEqual(
    [code, err],
    [0, `${module}: other.example.com is not printed: its handler is a function, not made by policyHook()`],
  );
});

test("policies refuses actions that exclude each other, and modules without a hook that is made of expressions", async () => {
  const module = await write("no-policies.mjs", "export const hooks = [];");
  const refused = async (...argv: readonly string[]) => (await run("policies", module, ...argv)).err;
  assert.match(await refused("--actions=Deny,Warn"), /--actions: must not name both Deny and Warn/);
  assert.match(await refused("--actions=Refuse"), /--actions: "Refuse" is none of Deny, Warn, Audit/);
  assert.match(await refused("--actions=Deny,Deny"), /--actions: must name at least one action, and each once/);
  assert.match(await refused(), /hooks: none of them is made by policyHook\(\)/);
});

const manifests = `apiVersion: v1
kind: Pod
metadata: {name: good, namespace: a}
spec: {containers: [{name: c, image: "c:1"}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: bad}
spec:
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: "<c>"}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: odd}
spec: {containers: [{name: c, image: "c:1", imag: x}]}
`;
const denial = 'spec.containers[0].image: "<c>" must say which version it is, by a tag other than latest';

const mistakes: readonly [what: string, argv: readonly string[], message: string, code?: number][] = [
  [
    "dev that watches what is not there",
    ["dev", `--config=${config}`, "--watch=nowhere"],
    "flags: --watch: there is no such file or folder: nowhere",
  ],
  ["rotate without a Service", ["rotate", `--config=${config}`], "flags: --service: is required"],
  [
    "rotate of half a Service",
    ["rotate", `--config=${config}`, "--service=hooks"],
    "flags: --service: must have the form namespace/name",
  ],
  [
    "test of a folder without cases",
    ["test", await emptyFolder("no-cases"), `--config=${config}`],
    `${join(folder, "no-cases")}: path: there is no case: no YAML or JSON document of kind HookCase`,
  ],
  [
    "check of a folder without manifests",
    ["check", `--config=${config}`, await emptyFolder("no-manifests")],
    `${join(folder, "no-manifests")}: PATH: there is no manifest to check`,
    2,
  ],
  [
    "a module without hooks",
    ["check", folder, `--module=${await write("empty.mjs", "export const other = 1;")}`],
    `${join(folder, "empty.mjs")}: module: exports neither \`hooks\` nor \`converters\``,
    2,
  ],
  [
    "check by nothing",
    ["check", await write("for-nobody.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")],
    "flags: --module: there are no hooks: name modules that export some, here or in the file of --config",
    2,
  ],
  [
    "types of a definition without names",
    ["types", await write("crd-broken.yaml", "kind: CustomResourceDefinition\nspec: {}\n")],
    `${join(folder, "crd-broken.yaml")}: line 1: is no CustomResourceDefinition of apiextensions.k8s.io/v1`,
  ],
  [
    "an authority that is not there",
    ["register", `--config=${config}`, "--url=https://a", "--ca-file=nowhere.crt"],
    "nowhere.crt: --ca-file: cannot be read (ENOENT)",
  ],
  [
    "an authority that is none",
    ["register", `--config=${config}`, "--url=https://a", `--ca-file=${config}`],
    `${config}: --ca-file: holds no certificate in PEM`,
  ],
  ["two folders", ["test", "a", `--config=${config}`, "b"], 'arguments: unexpected argument: "b"'],
  ["test without a folder", ["test", `--config=${config}`], "arguments: DIR: is required"],
  [
    "check of what is not there",
    ["check", "nowhere", `--config=${config}`],
    "nowhere: path: there is no such file or folder",
    2,
  ],
  [
    "check in an unknown form",
    ["check", folder, `--config=${config}`, "--output=xml"],
    'arguments: invalid argument "xml" for "--output" flag: "xml" is not one of text, json, junit, sarif, github',
    2,
  ],
  ["build without an image", ["build", "--module=hooks.js"], "flags: --image: is required"],
  ["register without an address", ["register", `--config=${config}`], "flags: --url: give one of --url and --service"],
];

for (const [what, argv, message, code = 1] of mistakes) {
  test(`${what} is a mistake that is told`, async () => {
    assert.deepEqual(await run(...argv), { code, out: "", err: `gatehouse-admission: ${message}` });
  });
}

test("check tells what would be refused, by file and line", async () => {
  const file = await write("manifests/all.yaml", manifests);
  assert.deepEqual(await run("check", join(folder, "manifests"), "--config", config), {
    code: 1,
    out: `${file}:6: error: Deployment bad: no-latest-tag.example.com: ${denial}
${file}:13: error: Pod odd: manifest: Pod: unknown field "spec.containers[0].imag"
3 objects checked, 2 would be refused`,
    err: "",
  });
});

test("check takes several paths, leaves charts to Helm, and can refuse what hooks warn of", async () => {
  const text = "hooks: [{name: no-latest-tag.example.com, mode: Warn, library: {noLatestTag: {}}}]\n";
  const warning = await write("warning.yaml", `${head}${text}`);
  const [good, bad] = manifests.split("---\n");
  const paths = [await write("several/good.yaml", good ?? ""), await write("several/bad.yaml", bad ?? "")];
  const chart = await write("charts/a/Chart.yaml", "apiVersion: v2\nname: a\n");
  const { code, out } = await run("check", ...paths, chart, "--config", warning, "--warnings-as-errors");
  assert.equal(code, 1);
  assert.deepEqual(out.split("\n"), [
    `${paths[1]}:1: error: Deployment bad: no-latest-tag.example.com: no-latest-tag.example.com would deny this: ${denial}`,
    `${chart}:1: skipped: part of a Helm chart; pipe the output of helm template into gatehouse-admission check -`,
    "2 objects checked, 1 would be refused, 1 document skipped",
  ]);
});

test("check tells of documents that nobody can read, and goes on", async () => {
  const [broken, list] = [await write("mixed/broken.yaml", "a: 1\n---\nb: [\n"), await write("mixed/list.json", "[1]")];
  const good = await write("mixed/all.yaml", manifests);
  const { code, out } = await run("check", join(folder, "mixed"), "--config", config);
  assert.equal(code, 1);
  assert.deepEqual(out.split("\n"), [
    `${good}:6: error: Deployment bad: no-latest-tag.example.com: ${denial}`,
    `${good}:13: error: Pod odd: manifest: Pod: unknown field "spec.containers[0].imag"`,
    `${broken}:3: error: document: manifest: is not valid YAML: did not find expected node content`,
    `${list}:1: error: document: manifest: is not an object`,
    "5 objects checked, 4 would be refused",
  ]);
});

const deploymentHead = "apiVersion: apps/v1\nkind: Deployment\n";

const refused: readonly [what: string, manifest: string, told: string, line?: number][] = [
  [
    "a kind that its group does not have",
    "apiVersion: apps/v1\nkind: Deploymnt\nmetadata: {name: a}\n",
    "Deploymnt a: manifest: kind: there is no Deploymnt in apps/v1; did you mean Deployment?",
  ],
  [
    "a version that its group does not have",
    "apiVersion: apps/v7\nkind: Deployment\nmetadata: {name: a}\n",
    "Deployment a: manifest: apiVersion: there is no apps/v7; its group has v1, v1beta1, v1beta2",
  ],
  [
    "no apiVersion",
    "kind: Deployment\nmetadata: {name: a}\n",
    "Deployment a: manifest: apiVersion: is required, and must be text",
  ],
  ["no kind", "apiVersion: v1\nmetadata: {name: a}\n", "document a: manifest: kind: is required, and must be text"],
  [
    "fields that it does not have",
    `${deploymentHead}metadata: {name: a, labls: {}}\nspec: {replcas: 2}\n`,
    'Deployment a: manifest: Deployment: unknown field "metadata.labls", "spec.replcas"',
  ],
  [
    "fields that it does not have, in a list of its kind",
    "apiVersion: apps/v1\nkind: DeploymentList\nitems: [{metadata: {name: a}, spec: {replcas: 2}}]\n",
    'Deployment a: manifest: Deployment: unknown field "spec.replcas"',
    3,
  ],
  [
    "an item that is no object",
    "apiVersion: v1\nkind: List\nitems: [3]\n",
    "document: manifest: items[0]: is not an object",
  ],
];

for (const [what, text, told, line = 1] of refused) {
  test(`check refuses a manifest with ${what}`, async () => {
    const file = await write("refused.yaml", text);
    assert.deepEqual(await run("check", file, "--config", config), {
      code: 1,
      out: `${file}:${line}: error: ${told}\n1 object checked, 1 would be refused`,
      err: "",
    });
  });
}

test("check lets kinds of custom resources be, and names the documents that it skips", async () => {
  const file = await write(
    "custom.yaml",
    "apiVersion: example.com/v1\nkind: Wdget\nmetadata: {name: a}\n---\nvalues: 1\n",
  );
  assert.deepEqual(await run("check", file, "--config", config), {
    code: 0,
    out: `${file}:5: skipped: no manifest, without apiVersion and kind\n1 object checked, 0 would be refused, 1 document skipped`,
    err: "",
  });
  assert.match(
    (await run("check", file, "--config", config, "-o", "junit")).out,
    / tests="2" failures="0" errors="0" skipped="1" [\s\S]*name="document"><skipped message="no manifest, [^>]*>[^<]*:5<\/skipped>/,
  );
  const sarif = JSON.parse((await run("check", file, "--config", config, "-o", "sarif")).out);
  assert.deepEqual([sarif.runs[0].results.length, sarif.runs[0].results[0].level], [1, "note"]);
});

test("check tells of a warning which hook gives it", async () => {
  const text = "hooks: [{name: no-latest-tag.example.com, mode: Warn, library: {noLatestTag: {}}}]\n";
  const warning = await write("warning.yaml", `${head}${text}`);
  const file = await write("manifests/all.yaml", manifests);
  const { out } = await run("check", file, "--config", warning);
  const told = `warning: Deployment bad: no-latest-tag.example.com: no-latest-tag.example.com would deny this: ${denial}`;
  assert.equal(out.split("\n")[0], `${file}:6: ${told}`);
  const junit = (await run("check", file, "--config", warning, "-o", "junit")).out;
  assert.match(junit, /<system-out>[^<]*:6: warning: no-latest-tag\.example\.com: .* would deny this: /);
});

test("a case whose object is of a kind that there is not fails, though no hook is asked about it", async () => {
  const file = await write(
    "kindless/a.yaml",
    `apiVersion: config.gatehouse.dev/v1alpha1
kind: HookCase
given: {object: {apiVersion: apps/v1, kind: Deploymnt}}
expect: {allowed: true}
`,
  );
  const { code, out } = await run("test", file, "--config", config);
  assert.equal(code, 1);
  assert.match(out, /given: kind: there is no Deploymnt in apps\/v1; did you mean Deployment\?/);
});

test("check tells of exceptions that have expired, but not of those of hooks that are off", async () => {
  const exceptions = 'exceptions: [{reason: a trial, expires: "2001-02-03T04:05:06Z", namespaces: [lab]}]';
  const hookNamed = (name: string, mode: string): string =>
    `- {name: ${name}.example.com, mode: ${mode}, library: {noLatestTag: {}}, ${exceptions}}`;
  const excepting = await write(
    "excepting.yaml",
    `${head}hooks:\n${hookNamed("a", "Off")}\n${hookNamed("b", "Warn")}\n`,
  );
  const { err } = await run("check", await write("manifests/all.yaml", manifests), "--config", excepting);
  const told = "expired at 2001-02-03T04:05:06.000Z, so it excepts nothing: a trial";
  assert.equal(err, `${excepting}: hooks[1].exceptions[0]: ${told}`);
});

test("check writes JUnit and SARIF", async () => {
  const file = await write("manifests/all.yaml", manifests);
  const junit = (await run("check", file, "--config", config, "-o", "junit")).out;
  assert.match(
    junit,
    /<testsuite name="gatehouse-admission" tests="3" failures="2" errors="0" skipped="0" time="\d+\.\d{3}">/,
  );
  assert.match(
    junit,
    /<testcase classname=".*" name="Deployment bad" time="\d+\.\d{3}"><failure type="no-[^>]*>[^<]*:6<\/failure>/,
  );
  assert.match(junit, /message="spec\.containers\[0\]\.image: &quot;&lt;c&gt;&quot; must/);
  const sarif = JSON.parse((await run("check", file, "--config", config, "-o", "sarif")).out);
  assert.equal(sarif.version, "2.1.0");
  assert.deepEqual(sarif.runs[0].results[0], {
    ruleId: "no-latest-tag.example.com",
    level: "error",
    message: { text: `Deployment bad: ${denial}` },
    locations: [
      { physicalLocation: { artifactLocation: { uri: pathToFileURL(file).href }, region: { startLine: 6 } } },
    ],
  });
  const { rules } = sarif.runs[0].tool.driver;
  assert.deepEqual(
    rules.map(({ id }: { id: string }) => id),
    ["manifest", "no-latest-tag.example.com"],
  );
  assert.match(rules[1].fullDescription.text, /^The validating admission hook .* CREATE, UPDATE of pods, .* in apps; /);
});

test("a case that does not hold is told with what was expected", async () => {
  const file = await write(
    "cases/a.yaml",
    `apiVersion: config.gatehouse.dev/v1alpha1
kind: HookCase
given:
  object: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, image: c}]}}
expect:
  allowed: true
  object: {spec: {restartPolicy: Never}}
`,
  );
  const { code, out } = await run("test", join(folder, "cases"), "--config", config);
  assert.equal(code, 1);
  assert.equal(
    out,
    `not ok 1 - a
  ${file}:1: allowed: expected true, was false
  ${file}:1: object.spec.restartPolicy: expected "Never", was "Always"
1..1
# pass 0
# fail 1`,
  );
});

test("a new project passes its own tests", async () => {
  const project = join(folder, "my-hooks");
  assert.equal((await run("init", project)).code, 0);
  await symlink(join(root, "node_modules"), join(project, "node_modules"));
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc")], { cwd: project, stdio: "pipe" });
  const { code, out } = await run("test", join(project, "cases"), "--module", join(project, "dist/hooks.js"));
  assert.deepEqual([code, out.split("\n").at(-2)], [0, "# pass 3"]);
  assert.match((await run("init", project)).err, /is there and not empty/);
});

test("a project that cannot be made for want of npm leaves its folder as it was", async () => {
  const project = await emptyFolder("npmless");
  const { code, err } = await runWith({ PATH: folder }, "init", project);
  const what = "npm pack: the packages of Gatehouse cannot be packed: spawn npm ENOENT";
  assert.deepEqual([code, err], [1, `gatehouse-admission: npm: ${what}`]);
  assert.deepEqual(await readdir(project), []);
});

test("types of custom kinds are made of their definitions", async () => {
  const file = await write(
    "crd.yaml",
    `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1beta1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, description: "In */ cm."}
              colours: {type: array, items: {type: string, enum: [red, blue]}}
              port: {x-kubernetes-int-or-string: true}
              odd-name: {type: object, additionalProperties: {type: boolean}}
`,
  );
  assert.equal(
    (await run("types", file)).out,
    `import type { metaV1 } from "@gatehouse/envelopes/types";

/** Widget of example.com/v1beta1. */
export interface WidgetV1beta1 {
  apiVersion?: "example.com/v1beta1";
  kind?: "Widget";
  metadata?: metaV1.ObjectMeta;
  spec?: {
    /** In * / cm. */
    size: number;
    colours?: ("red" | "blue")[];
    port?: number | string;
    "odd-name"?: { [key: string]: boolean };
  };
}`,
  );
});

test("types are made of a List, too, as kubectl writes it", async () => {
  const definition = { kind: "CustomResourceDefinition", spec: { group: "a.b", names: { kind: "Thing" } } };
  const versions = [{ name: "v1", schema: { openAPIV3Schema: { type: "object" } } }];
  const items = [{ ...definition, spec: { ...definition.spec, versions } }];
  const file = await write("list.json", JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  assert.match((await run("types", file)).out, /export interface ThingV1 \{/);
});

/** Runs a command in a folder, as `build` needs it: the project is where it runs. */
async function runIn(where: string, ...argv: readonly string[]) {
  const before = process.cwd();
  process.chdir(where);
  try {
    return await run(...argv);
  } finally {
    process.chdir(before);
  }
}

const build = ["build", "--config=policies/library/no-latest-tag/hook.yaml", "--image=r.io/hooks:1"];

test("build writes a container file and a base that leaves its own namespace alone", async () => {
  const out = join(folder, "deploy");
  const result = await runIn(root, ...build, `--out=${out}`);
  assert.equal(result.code, 0, result.err);
  const text = (name: string): Promise<string> => readFile(join(out, name), "utf8");
  assert.match(await text("Dockerfile"), /^FROM node:20-slim/);
  // The keys that `dev` makes must not get into an image.
  assert.match(await text("Dockerfile.dockerignore"), /^\.gatehouse$/m);
  assert.match(await text("base/rotation.yaml"), /--service=gatehouse-admission\/gatehouse-admission/);
  assert.match(await text("base/deployment.yaml"), /--client-ca-file=/);
  const rbac = await text("base/rbac.yaml");
  assert.match(rbac, /resourceNames:\n {2}- gatehouse-admission-tls/);
});

test("build refuses a folder without a lock file, which the image is installed by", async () => {
  const { code, err } = await runIn(await emptyFolder("no-project"), ...build);
  const missing = "is missing, and the image is built by `npm ci`: run `npm install` in the folder of the project";
  assert.deepEqual([code, err], [1, `gatehouse-admission: project: package-lock.json: ${missing}`]);
});

for (const [what, argv] of [
  ["init", ["init", "/proc/gatehouse/my-hooks"]],
  ["build", [...build, "--out=/proc/gatehouse/deploy"]],
] as const) {
  test(`${what} tells of a folder that cannot be made`, {
    skip: process.platform !== "linux" && "only Linux has /proc",
  }, async () => {
    const { code, err } = await runIn(root, ...argv);
    const message = "gatehouse-admission: ENOENT: no such file or directory, mkdir '/proc/gatehouse'";
    assert.deepEqual([code, err], [1, message]);
  });
}
