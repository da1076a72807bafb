/** Returns the sources of a new extension API server, by path. `group` is the API group that it serves. */
export function extensionSources(name: string, group: string): readonly (readonly [path: string, text: string])[] {
  return [
    ["src/group.ts", groupSource(group)],
    ["src/meetings.ts", meetingsSource],
    ["src/cities.ts", citiesSource],
    ["src/program.ts", programSource(name)],
    ["src/main.ts", mainSource],
    ["src/dev.ts", devSource],
    ["src/program.test.ts", testSource],
  ];
}

const groupSource = (group: string): string => `/** The API group of this project. */
export const group = "${group}";

export const version = "v1alpha1";
`;

const meetingsSource = `import { defineResource } from "@gatehouse/apiserver";
import { fieldError } from "@gatehouse/envelopes/status";
import { group, version } from "./group.js";

/** A meeting. Times are in RFC 3339. */
export interface Meeting {
  readonly spec: { readonly topic: string; readonly start: string; readonly end: string };
}

const time = { type: "string", format: "date-time" };

/** Meetings, which are stored. */
export const meetings = defineResource<Meeting>({
  group,
  version,
  resource: "meetings",
  kind: "Meeting",
  namespaced: true,
  schema: {
    type: "object",
    required: ["spec"],
    properties: {
      spec: {
        type: "object",
        required: ["start", "end"],
        properties: { topic: { type: "string", default: "anything" }, start: time, end: time },
      },
    },
  },
  columns: [
    { name: "Topic", type: "string", jsonPath: ".spec.topic" },
    { name: "Start", type: "string", jsonPath: ".spec.start" },
    { name: "End", type: "string", jsonPath: ".spec.end" },
  ],
  // Called with objects that the schema allows.
  validate: ({ spec: { start, end } }) =>
    Date.parse(end) > Date.parse(start) ? [] : [fieldError.invalid("spec.end", end, "must be after spec.start")],
});
`;

const citiesSource = `import { defineComputedResource } from "@gatehouse/apiserver";
import { group, version } from "./group.js";

/** A city and its time. */
export interface City {
  readonly metadata: { readonly name: string };
  readonly timeZone: string;
  readonly time: string;
}

const zones = new Map([
  ["london", "Europe/London"],
  ["new-york", "America/New_York"],
  ["tokyo", "Asia/Tokyo"],
]);

function cityOf(name: string, timeZone: string): City {
  const time = new Date().toLocaleTimeString("en-GB", { timeZone });
  return { metadata: { name }, timeZone, time };
}

/** Cities, which are computed when they are read. Nobody can write them or watch them: there are no functions for that. */
export const cities = defineComputedResource<City>({
  group,
  version,
  resource: "cities",
  kind: "City",
  namespaced: false,
  schema: { type: "object", properties: { timeZone: { type: "string" }, time: { type: "string" } } },
  columns: [
    { name: "Time zone", type: "string", jsonPath: ".timeZone" },
    { name: "Time", type: "string", jsonPath: ".time" },
  ],
  get(name) {
    const zone = zones.get(name);
    return zone === undefined ? undefined : cityOf(name, zone);
  },
  list: () => [...zones].map(([name, zone]) => cityOf(name, zone)),
});
`;

const programSource = (name: string): string => `import type { ExtensionProgram } from "@gatehouse/apiserver/extension";
import { cities } from "./cities.js";
import { group, version } from "./group.js";
import { meetings } from "./meetings.js";

/** The API server, as it is started in any place. */
export const program: ExtensionProgram = {
  name: "${name}",
  groups: [{ name: group, versions: [version], resources: [meetings, cities] }],
};
`;

const mainSource = `import { runExtensionServer } from "@gatehouse/apiserver/extension";
import { program } from "./program.js";

await runExtensionServer(program, process.argv.slice(2));
`;

const devSource = `import { startBehind } from "@gatehouse/testing/front";
import { program } from "./program.js";

// Runs the server behind a control plane of its own, until a signal comes.
const behind = await startBehind(program);
const kubectl = \`kubectl --kubeconfig=\${await behind.controlPlane.kubeconfigFile()}\`;
console.log(\`Try, in another terminal:
  \${kubectl} get cities
  \${kubectl} create -f meeting.yaml
  \${kubectl} get meetings
  \${kubectl} explain meetings.spec
Ctrl-C ends the server; the objects are forgotten.\`);
const stop = (): void => void behind[Symbol.asyncDispose]();
process.once("SIGINT", stop).once("SIGTERM", stop);
`;

// As strings: check-imports.mjs would take lines of a template for imports of this file.
const testImports = [
  'import assert from "node:assert/strict";',
  'import { after, test } from "node:test";',
  'import { startBehind } from "@gatehouse/testing/front";',
  'import { group, version } from "./group.js";',
  'import { program } from "./program.js";',
];

const testSource = `${testImports.join("\n")}

// Requests go to a control plane of the test, which passes them on to the server.
const behind = await startBehind(program);
after(() => behind[Symbol.asyncDispose]());

const meetings = \`/apis/\${group}/\${version}/namespaces/default/meetings\`;

function request(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const timeoutMs = 30_000;
  const signal = AbortSignal.timeout(timeoutMs);
  return behind.controlPlane.client.requestJson({ method, path, signal, timeoutMs, ...(body && { body }) });
}

const meeting = (name: string, end: string): object => ({
  apiVersion: \`\${group}/\${version}\`,
  kind: "Meeting",
  metadata: { name },
  spec: { start: "2030-01-31T09:00:00Z", end },
});

test("a meeting is stored with its defaults", async () => {
  const created = await request("POST", meetings, meeting("short", "2030-01-31T09:05:00Z"));
  assert.equal(created.status, 201);
  const { body } = await request("GET", \`\${meetings}/short\`);
  assert.equal(body.spec.topic, "anything");
});

test("a meeting that ends before it starts is refused", async () => {
  const { status, body } = await request("POST", meetings, meeting("odd", "2030-01-31T08:00:00Z"));
  assert.equal(status, 422);
  assert.match(body.message, /spec\\.end: .*must be after spec\\.start/);
});

test("cities are computed and cannot be written", async () => {
  const cities = \`/apis/\${group}/\${version}/cities\`;
  const { body } = await request("GET", \`\${cities}/tokyo\`);
  assert.match(body.time, /^\\d\\d:\\d\\d:\\d\\d$/);
  assert.equal((await request("GET", \`\${cities}/atlantis\`)).status, 404);
  assert.equal((await request("DELETE", \`\${cities}/tokyo\`)).status, 405);
});
`;
