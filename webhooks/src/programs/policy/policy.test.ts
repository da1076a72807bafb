import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { runCommand } from "./commands/run-command.js";

// The program as a process, on folders of documents.

const script = fileURLToPath(new URL("main.js", import.meta.url));

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-policy-"));
});

afterEach(() => rm(folder, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

function run(...args: readonly string[]) {
  return new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

const policy = `apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingAdmissionPolicy
metadata: { name: replicas }
spec:
  matchConstraints:
    resourceRules:
      - { apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments] }
  matchConditions:
    - { name: not-robots, expression: "request.userInfo.username != 'robot'" }
  variables:
    - { name: limit, expression: "has(object.metadata.labels) && 'big' in object.metadata.labels ? 10 : 5" }
  validations:
    - expression: object.spec.replicas <= variables.limit
      messageExpression: "'at most ' + string(variables.limit) + ' replicas'"
      reason: Forbidden
---
apiVersion: admissionregistration.k8s.io/v1beta1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: replicas }
spec: { policyName: replicas, validationActions: [Deny] }
`;

const cases = `apiVersion: config.gatehouse.dev/v1alpha1
kind: PolicyCases
policies: [replicas]
objects:
  web:
    apiVersion: apps/v1
    kind: Deployment
    metadata: { name: web }
    spec:
      replicas: 3
      selector: { matchLabels: { app: web } }
      template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: a, image: a }] } }
cases:
  - name: few
    given: { base: web }
    expect: { allowed: true, maxCost: 50 }
  - name: many
    given: { base: web, object: { spec: { replicas: 6 } } }
    expect: { allowed: false, message: at most 5 replicas, reason: Forbidden }
  - name: many of a robot
    given: { base: web, object: { spec: { replicas: 6 } }, userInfo: { username: robot } }
    expect: { allowed: true, skipped: true }
`;

const wrongCases = cases
  .replace("at most 5 replicas, reason: Forbidden", "at most 4 replicas, reason: Invalid")
  .replace("maxCost: 50", "maxCost: 1");

describe("gatehouse-policy test", () => {
  test("prints a line for each policy, and exits with 0 if all cases pass", async () => {
    await write({ "replicas.yaml": policy, "cases/replicas.yaml": cases });
    assert.deepEqual(await run("test", "."), {
      code: 0,
      stdout: "ok replicas: 3 cases, coverage 66% (8 of 12)\n3 passed, 0 failed, coverage 66% of 1 policy\n",
      stderr: "",
    });
  });

  test("tells the differences of a case that fails, with its variables and its cost, and exits with 1", async () => {
    await write({ "replicas.yaml": policy, "cases/replicas.yaml": wrongCases });
    assert.deepEqual(await run("test", "."), {
      code: 1,
      stdout: `not ok replicas: 3 cases, 2 failed, coverage 66% (8 of 12)
  not ok cases/replicas.yaml: cases[0]: few
      cost: expected at most 1, was 20
      variables.limit = 5
      cost 20
  not ok cases/replicas.yaml: cases[1]: many
      message: expected "at most 4 replicas", was "at most 5 replicas"
      reason: expected "Invalid", was "Forbidden"
      variables.limit = 5
      cost 20
1 passed, 2 failed, coverage 66% of 1 policy
`,
      stderr: "",
    });
  });

  test("shows what is not covered below its text, and demands a share of it", async () => {
    await write({ "replicas.yaml": policy, "cases/replicas.yaml": cases });
    assert.deepEqual(await run("test", ".", "--min-coverage=80"), {
      code: 1,
      stdout: `not ok replicas: 3 cases, coverage 66% (8 of 12)
  coverage: expected at least 80%, was 66%
  not covered: variables[0].expression
      has(object.metadata.labels) && 'big' in object.metadata.labels ? 10 : 5
      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ never true
      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ never true
                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ never evaluated
3 passed, 0 failed, coverage 66% of 1 policy
`,
      stderr: "",
    });
  });

  test("writes JUnit XML to a file", async () => {
    await write({ "replicas.yaml": policy, "cases/replicas.yaml": wrongCases });
    assert.deepEqual(await run("test", ".", "--output=junit", "--output-file=junit.xml"), {
      code: 1,
      stdout: "",
      stderr: "",
    });
    assert.equal(
      await readFile(join(folder, "junit.xml"), "utf8"),
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="gatehouse-policy">
  <testsuite name="cases/replicas.yaml" tests="3" failures="2" errors="0" skipped="0">
    <testcase classname="cases/replicas.yaml" name="few"><failure message="cost: expected at most 1, was 20">cost: expected at most 1, was 20</failure><system-out>variables.limit = 5
cost 20</system-out></testcase>
    <testcase classname="cases/replicas.yaml" name="many"><failure message="message: expected &quot;at most 4 replicas&quot;, was &quot;at most 5 replicas&quot;">message: expected &quot;at most 4 replicas&quot;, was &quot;at most 5 replicas&quot;
reason: expected &quot;Invalid&quot;, was &quot;Forbidden&quot;</failure><system-out>variables.limit = 5
cost 20</system-out></testcase>
    <testcase classname="cases/replicas.yaml" name="many of a robot"><system-out>variables.limit = not evaluated
cost 4</system-out></testcase>
  </testsuite>
  <testsuite name="coverage" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="coverage" name="replicas"><system-out>coverage 66% (8 of 12)</system-out></testcase>
  </testsuite>
</testsuites>
`,
    );
  });

  const mistakes: readonly (readonly [name: string, files: Readonly<Record<string, string>>, error: string])[] = [
    [
      "an expression that does not compile",
      { "p.yaml": policy.replace("<= variables.limit", "<= variables.limits"), "c.yaml": cases },
      `.: p.yaml:1: spec.validations[0].expression: compilation failed: ERROR: <input>:1:34: undefined field 'limits'
 | object.spec.replicas <= variables.limits
 | .................................^`,
    ],
    [
      "a case of an unknown policy",
      { "c.yaml": cases },
      'cases: c.yaml: policies[0]: there is no ValidatingAdmissionPolicy "replicas"',
    ],
    ["a folder without cases", { "p.yaml": policy }, ".: path: there is no case: no document of kind PolicyCases"],
    [
      "two policies of one name",
      { "a.yaml": policy, "b.yaml": policy, "c.yaml": cases },
      ".: b.yaml: the policy replicas is in a.yaml, too",
    ],
    [
      "a member that no policy has",
      { "p.yaml": policy.replace("validations:", "validation:"), "c.yaml": cases },
      '.: p.yaml:1: ValidatingAdmissionPolicy: unknown field "spec.validation"',
    ],
  ];
  for (const [name, files, error] of mistakes) {
    test(`refuses ${name}`, async () => {
      await write(files);
      assert.deepEqual(await run("test", "."), { code: 1, stdout: "", stderr: `gatehouse-policy: ${error}\n` });
    });
  }

  for (const scope of ["Cluster", "Namespaced"]) {
    test(`finds the parameters of a case, of a custom kind with the scope ${scope}`, async () => {
      const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: limits.example.com }
spec:
  group: example.com
  scope: ${scope}
  names: { kind: Limit, plural: limits }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { most: { type: integer } } } } }
`;
      const limited = policy
        .replace("spec:\n", "spec:\n  paramKind: { apiVersion: example.com/v1, kind: Limit }\n")
        .replace("<= variables.limit", "<= params.most")
        .replace(
          "policyName: replicas,",
          "policyName: replicas, paramRef: { name: a, parameterNotFoundAction: Deny },",
        );
      const given = "given: { base: web, namespace: shop, params: [{ most: 2 }]";
      await write({
        "d.yaml": definition,
        "p.yaml": limited,
        "c.yaml": cases
          .replaceAll("given: { base: web", given)
          .replace("allowed: true, maxCost: 50", "allowed: false, message: at most 5 replicas"),
      });
      const { code, stdout } = await run("test", ".");
      assert.match(stdout, /^ok replicas: 3 cases/);
      assert.equal(code, 0);
    });
  }
});

describe("gatehouse-policy explain", () => {
  const object = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { big: "yes" } }
spec:
  replicas: 12
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: a, image: a }] } }
`;

  test("shows the value of each sub-expression below the whole", async () => {
    await write({ "p.yaml": policy, "web.yaml": object });
    assert.deepEqual(await run("explain", "p.yaml", "--object=web.yaml", "--user=ann"), {
      code: 0,
      stdout: `replicas: denied
  403 Forbidden: deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'replicas' with binding 'replicas' denied request: at most 10 replicas
  violation: Forbidden: at most 10 replicas
  cost 28

matchConditions[0].expression (not-robots) = true, cost 4
  request.userInfo.username != 'robot' = true
    request.userInfo.username = "ann"

variables.limit = 10, cost 6
  has(object.metadata.labels) && 'big' in object.metadata.labels ? 10 : 5 = 10
    has(object.metadata.labels) && 'big' in object.metadata.labels = true
      has(object.metadata.labels) = true
      'big' in object.metadata.labels = true
        object.metadata.labels = {"big":"yes"}

validations[0].expression = false, cost 6
  object.spec.replicas <= variables.limit = false
    object.spec.replicas = 12
    variables.limit = 10

validations[0].messageExpression = "at most 10 replicas", cost 6
  'at most ' + string(variables.limit) + ' replicas' = "at most 10 replicas"
    'at most ' + string(variables.limit) = "at most 10"
      string(variables.limit) = "10"
        variables.limit = 10
`,
      stderr: "",
    });
  });

  test("says that a request is excluded, and which expression excludes it", async () => {
    await write({ "p.yaml": policy, "web.yaml": object });
    const { code, stdout } = await run("explain", "p.yaml", "--object=web.yaml", "--user=robot");
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^replicas: not evaluated: its constraints, bindings or match conditions exclude the request\n/,
    );
    assert.match(stdout, /\nvalidations\[0\]\.expression: not evaluated\n/);
  });

  test("demands an object", async () => {
    await write({ "p.yaml": policy });
    assert.deepEqual(await run("explain", "p.yaml"), {
      code: 1,
      stdout: "",
      stderr: "gatehouse-policy: flags: --object: is required, or --old-object for a deletion\n",
    });
  });
});

describe("gatehouse-policy replay", () => {
  const deployment = (replicas: number) => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
      replicas,
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "a", image: "a" }] } },
    },
  });
  const denial = {
    kind: "Status",
    code: 403,
    message:
      "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'replicas' with binding 'replicas' denied request: at most 5 replicas",
  };
  let count = 0;
  const event = (changes: object) =>
    JSON.stringify({
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: "Request",
      auditID: `id-${++count}`,
      stage: "ResponseComplete",
      requestURI: "/apis/apps/v1/namespaces/shop/deployments",
      verb: "create",
      user: { username: "ann", groups: ["dev"] },
      objectRef: { resource: "deployments", namespace: "shop", name: "web", apiGroup: "apps", apiVersion: "v1" },
      responseStatus: { code: 201 },
      ...changes,
    });
  const events = () => {
    count = 0;
    return [
      event({ requestObject: deployment(3) }),
      event({ requestObject: deployment(9), responseStatus: denial }),
      event({ requestObject: deployment(9), user: { username: "robot" } }),
      event({ level: "Metadata" }),
      event({ verb: "patch", requestObject: { spec: { replicas: 9 } }, responseStatus: denial }),
      event({ requestObject: deployment(3), responseStatus: { code: 409 } }),
      event({ verb: "list" }),
      event({ stage: "RequestReceived" }),
    ].join("\n");
  };
  const unjudged = `  1 not judged: events of level Metadata have no objects
  1 not judged: a patch shows its object at level RequestResponse only, and if it was not refused
  1 not judged: refused with 409 by something else than a policy
`;

  test("finds no change for the policy that was in effect, and names what events lack", async () => {
    await write({ "p.yaml": policy, "audit.log": events() });
    assert.deepEqual(await run("replay", "--audit=audit.log", "--policy=p.yaml"), {
      code: 0,
      stdout: `8 events: 3 judged, 3 not judged, 2 that no policy names
${unjudged}POLICY    REQUESTS  DENIED THEN  DENIED NOW
replicas  2         1            1
no verdict would change
`,
      stderr: "",
    });
  });

  test("tells what a changed policy would deny and allow, by policy, user and namespace", async () => {
    await write({ "audit.log": events(), "p.yaml": policy.replace("<= variables.limit", "== 9") });
    assert.deepEqual(await run("replay", "--audit=audit.log", "--policy=p.yaml"), {
      code: 1,
      stdout: `8 events: 3 judged, 3 not judged, 2 that no policy names
${unjudged}POLICY    REQUESTS  DENIED THEN  DENIED NOW
replicas  2         1            1
allowed then, denied now:
  replicas: 1 of ann in shop
    create deployments web (audit ID id-1): deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'replicas' with binding 'replicas' denied request: at most 5 replicas
denied then, allowed now:
  replicas: 1 of ann in shop
    create deployments web (audit ID id-2): ${denial.message}
2 of 3 verdicts would change
`,
      stderr: "",
    });
  });

  test("tells of violations that are noted in the audit log", async () => {
    const noting = policy.replace("[Deny]", "[Audit]");
    await write({ "audit.log": event({ requestObject: deployment(9) }), "p.yaml": noting });
    const { code, stdout } = await run("replay", "--audit=audit.log", "--policy=p.yaml");
    assert.match(stdout, /\nnoted in the audit log now, not then:\n {2}replicas: 1 of ann in shop\n/);
    assert.equal(code, 1);
  });

  test("takes the old object from an earlier event, and says so where there is none", async () => {
    const growing = policy.replace(
      "object.spec.replicas <= variables.limit",
      "oldObject == null || object.spec.replicas >= oldObject.spec.replicas",
    );
    const update = { verb: "update", responseStatus: { code: 200 }, requestObject: deployment(2) };
    await write({
      "p.yaml": growing,
      "a.log": `${event({ requestObject: deployment(3) })}\n${event(update)}`,
      "b.log": event(update),
    });
    const [known, unknown] = [
      await run("replay", "--audit=a.log", "--policy=p.yaml"),
      await run("replay", "--audit=b.log", "--policy=p.yaml"),
    ];
    assert.match(known.stdout, /\n1 of 2 verdicts would change\n/);
    assert.match(unknown.stdout, /1 not judged: no earlier event shows the old object of an update\n/);
  });

  test("reads a folder of files, packed ones too, in the order of their names", async () => {
    await write({ "p.yaml": policy, "logs/audit.log": event({ requestObject: deployment(3) }) });
    await writeFile(join(folder, "logs", "audit-2026.log.gz"), gzipSync(events()));
    const { stdout } = await run("replay", "--audit=logs", "--policy=p.yaml");
    assert.match(stdout, /^9 events: 4 judged/);
  });

  test("shows on a terminal how far it has come, and wipes that out at the end", async () => {
    await write({ "p.yaml": policy, "audit.log": events() });
    const shown: string[] = [];
    const io = {
      print: () => {},
      printError: () => {},
      showProgress: (text: string) => shown.push(text),
      process: { on() {}, off() {}, exit() {} },
      env: {},
    };
    await runCommand(["replay", "--audit", join(folder, "audit.log"), "--policy", join(folder, "p.yaml")], io as never);
    assert.match(shown[0] ?? "", /^\[[#.]{30}\] \d+%$/);
    assert.equal(shown.at(-1), "");
  });

  test("refuses flags of a sink beside a file, and a sink whose address is not encrypted", async () => {
    await write({ "p.yaml": policy, "audit.log": events() });
    const beside = await run("replay", "--audit=audit.log", "--policy=p.yaml", "--token-file=t", "--from=7d");
    assert.deepEqual(
      [beside.code, beside.stderr.trimEnd().split("\n")],
      [
        1,
        [
          "gatehouse-policy: flags: 2 problems:",
          "  - --from: is for sinks, and audit.log is no address such as https://localhost:8447",
          "  - --token-file: is for sinks, and audit.log is no address such as https://localhost:8447",
        ],
      ],
    );
    const plain = await run("replay", "--audit=http://localhost:1", "--policy=p.yaml");
    assert.equal(
      plain.stderr,
      'gatehouse-policy: flags: --audit: must be an address such as https://localhost:8447, and is "http://localhost:1"\n',
    );
  });

  test("refuses a file that is no audit log", async () => {
    await write({ "p.yaml": policy, "audit.log": "{}" });
    assert.deepEqual(await run("replay", "--audit=audit.log", "--policy=p.yaml"), {
      code: 1,
      stdout: "",
      stderr: "gatehouse-policy: events: audit.log, line 1: is no audit event\n",
    });
  });
});
