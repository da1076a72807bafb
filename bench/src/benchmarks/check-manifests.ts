import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readInputs } from "@gatehouse/component-base/manifest-check";
import { checkManifests } from "@gatehouse/deploy/check";
import { parseYamlDocuments } from "@gatehouse/envelopes/codec";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark, Measurement } from "../benchmark.js";
import { interleave, type RoundResult } from "../rounds.js";

const manifestCount = 1000;

/** Measures `gatehouse check`, from the files to the verdicts, with the start of its server. */
export const checkManifestsBenchmark: Benchmark = {
  name: "check-manifests",
  what: `verdicts on ${manifestCount} manifests in 250 files by \`gatehouse check\`, in a process that has checked before`,
  limit: "to read and parse the same files",
  unit: "ms",
  run: measure,
};

async function measure({ quick, rounds }: BenchEnvironment): Promise<Measurement> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-bench-check-"));
  try {
    await Promise.all(
      Array.from({ length: manifestCount / 4 }, (_, index) =>
        writeFile(join(folder, `app-${index}.yaml`), manifestsOf(index)),
      ),
    );
    // The first one loads the server.
    const first = await check(folder);
    const measurement = await interleave(
      quick ? 3 : rounds,
      () => check(folder),
      () => parse(folder),
    );
    return {
      ...measurement,
      notes: [...measurement.notes, `the first of the process took ${Math.round(first.value)} ms`],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function check(folder: string): Promise<RoundResult> {
  const startedAt = performance.now();
  const { report } = await checkManifests(await readInputs([folder], "gatehouse check"), [], {
    hooks: [],
    serverFlags: [],
    namespace: "default",
    strictNamespaces: false,
    keepsOrder: false,
    ignoresMissingKinds: false,
    writeLog() {},
  });
  const value = performance.now() - startedAt;
  const refused = report.checked.filter(({ findings }) => findings.some(({ level }) => level !== "note"));
  if (report.checked.length !== manifestCount || refused.length > 0) {
    throw new Error(`${report.checked.length} manifests were checked, ${refused.length} refused`);
  }
  return { value };
}

async function parse(folder: string): Promise<RoundResult> {
  const startedAt = performance.now();
  for (const file of await readdir(folder)) {
    await parseYamlDocuments(await readFile(join(folder, file), "utf8"));
  }
  return { value: performance.now() - startedAt };
}

function manifestsOf(index: number): string {
  const metadata = `metadata: {name: web-${index}, namespace: team-${index % 10}, labels: {app: web-${index}}}`;
  return `apiVersion: apps/v1
kind: Deployment
${metadata}
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web-${index}
  template:
    metadata:
      labels:
        app: web-${index}
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1.25
          ports:
            - containerPort: 8080
          resources:
            requests: {cpu: 100m, memory: 64Mi}
            limits: {cpu: 200m, memory: 128Mi}
          livenessProbe:
            httpGet: {path: /healthz, port: 8080}
---
apiVersion: v1
kind: Service
${metadata}
spec:
  selector:
    app: web-${index}
  ports:
    - port: 80
      targetPort: 8080
---
apiVersion: v1
kind: ConfigMap
${metadata}
data:
  web.conf: |
    server {
      listen 8080;
    }
---
apiVersion: v1
kind: ServiceAccount
${metadata}
`;
}
