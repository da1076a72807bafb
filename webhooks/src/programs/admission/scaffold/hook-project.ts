import { type ProjectPackages, projectManifest, projectTsconfig } from "@gatehouse/component-base/projects";

/**
 * Returns the files of a new hook project, by path. `name` is its name, a domain label; `packages` are its dependencies
 * on the toolkit.
 */
export function hookProject(name: string, packages: ProjectPackages): ReadonlyMap<string, string> {
  const hook = `replicas.${name}.example.com`;
  return new Map([
    ["package.json", projectManifest(name, scripts, packages)],
    ["tsconfig.json", projectTsconfig],
    ["src/hooks.ts", hooksSource(hook)],
    ["cases/replicas.yaml", cases(hook)],
    // `dev` keeps private keys in .gatehouse.
    [".gitignore", "node_modules/\ndist/\n.gatehouse/\n"],
    ["README.md", readme(name)],
  ]);
}

const scripts = {
  build: "tsc",
  test: "tsc && gatehouse-admission test cases --module dist/hooks.js",
  dev: "gatehouse-admission dev --module dist/hooks.js --build tsc",
  register: "tsc && gatehouse-admission register --module dist/hooks.js",
};

function hooksSource(hook: string): string {
  const lines = [
    'import type { appsV1, autoscalingV1 } from "@gatehouse/envelopes/types";',
    'import { allow, deny, validatingHook, validator } from "@gatehouse/webhooks";',
    "",
    "/** The hooks of this project: gatehouse-admission looks for this name. */",
    "export const hooks = [",
    "  validatingHook({",
    `    name: "${hook}",`,
    "    rules: [",
    "      {",
    '        operations: ["CREATE", "UPDATE"],',
    '        apiGroups: ["apps"],',
    '        apiVersions: ["v1"],',
    "        // kubectl scale and autoscalers write a Scale to the subresource.",
    '        resources: ["deployments", "deployments/scale"],',
    "      },",
    "    ],",
    "    handler: validator<appsV1.Deployment | autoscalingV1.Scale>(({ spec }) => {",
    "      const replicas = spec?.replicas ?? 1;",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
    "      return replicas > 10 ? deny(`${replicas} replicas are too many, 10 are allowed`) : allow();",
    "    }),",
    "  }),",
    "];",
  ];
  return `${lines.join("\n")}\n`;
}

function cases(hook: string): string {
  const deployment = (replicas: number): string => `    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec:
      replicas: ${replicas}
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec: {containers: [{name: web, image: "web:1"}]}
`;
  const scale = (replicas: number): string =>
    `{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: web}, spec: {replicas: ${replicas}}}`;
  const head = `apiVersion: config.gatehouse.dev/v1alpha1\nkind: HookCase\n`;
  return `${head}name: ten replicas are allowed
hook: ${hook}
given:
  object:
${deployment(10)}expect:
  allowed: true
---
${head}name: eleven replicas are denied
hook: ${hook}
given:
  object:
${deployment(11)}expect:
  allowed: false
  message: 11 replicas are too many, 10 are allowed
---
${head}name: scaling to eleven replicas is denied
hook: ${hook}
given:
  resource: deployments.v1.apps
  subResource: scale
  object: ${scale(11)}
  oldObject: ${scale(1)}
expect:
  allowed: false
  message: 11 replicas are too many, 10 are allowed
`;
}

function readme(name: string): string {
  return `# ${name}

Admission hooks, in \`src/hooks.ts\`, and cases that say what they do, in \`cases/\`.

    npm install
    npm test

\`npm run dev\` serves the hooks to the cluster of your kubeconfig and starts them again on each change;
\`npx gatehouse-admission build --module dist/hooks.js\` writes what a cluster needs to run them.
`;
}
