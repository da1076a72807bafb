import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { describeKubectl, modern } from "../support/kubectl-matrix.js";
import type { KubectlShell } from "../support/kubectl-shell.js";
import { gatehouseScript } from "../support/programs.js";
import { deployFolder, readComposeFile, serviceNames, servicePorts, statefulServices } from "./deployment-files.js";

/** The members of any object that the test reads. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly template?: PodTemplate };
}

interface PodTemplate {
  readonly metadata: object;
  readonly spec: {
    readonly automountServiceAccountToken: boolean;
    readonly serviceAccountName: string;
    readonly containers: readonly ContainerOfPod[];
    readonly volumes: readonly {
      readonly name: string;
      readonly configMap?: { readonly name: string };
      readonly secret?: { readonly secretName: string };
    }[];
  };
}

interface ContainerOfPod {
  readonly image: string;
  readonly command?: unknown;
  readonly args?: unknown;
  readonly env?: unknown;
  readonly ports: readonly { readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}

/** Puts the files into the shell's folder, and makes the certificates as the guide says. */
function copyFiles(shell: KubectlShell): void {
  for (const folder of ["config", "kustomize"]) {
    const filter = (path: string): boolean => path !== join(deployFolder, "kustomize", "credentials", "pki");
    cpSync(join(deployFolder, folder), join(shell.folder, "deploy", folder), { recursive: true, filter });
  }
  execFileSync(process.execPath, [gatehouseScript, "pki", "--directory=deploy/kustomize/credentials/pki"], {
    cwd: shell.folder,
  });
}

await describeKubectl("The kustomize base", (matrix) => {
  matrix.test("is built, passes Pod Security, and is taken by an API server", modern("newest"), async ({ shell }) => {
    copyFiles(shell);
    const objects = parseAllDocuments(await shell.ok("kubectl kustomize deploy/kustomize")).map(
      (document) => document.toJS() as Manifest,
    );
    const named = (kind: string) => objects.filter((object) => object.kind === kind);
    const workloads = [...named("StatefulSet"), ...named("Deployment")];
    const names = serviceNames.map((name) => `gatehouse-${name}`).sort();
    for (const kind of ["ServiceAccount", "Service", "Secret"]) {
      assert.deepEqual(
        named(kind)
          .map(({ metadata }) => metadata.name)
          .sort(),
        names,
        kind,
      );
    }
    assert.deepEqual(workloads.map(({ metadata }) => metadata.name).sort(), names);

    const { services } = readComposeFile();
    for (const name of serviceNames) {
      const workload = workloads.find(({ metadata }) => metadata.name === `gatehouse-${name}`);
      const { spec } = workload?.spec?.template ?? assert.fail(`no pods of ${name}`);
      const [container, ...more] = spec.containers;
      assert.ok(container !== undefined && more.length === 0);
      const { image, command, args, env, ports, volumeMounts } = container;
      // What the image runs, with what compose mounts, where compose mounts it.
      assert.deepEqual(
        [image, command, args, env],
        [services[`gatehouse-${name}`]?.["image"], undefined, undefined, undefined],
      );
      assert.deepEqual(
        ports.map((port) => port.containerPort),
        [servicePorts[name]],
      );
      const mounted = volumeMounts.map(({ mountPath, readOnly }) => `${mountPath}${readOnly === true ? ":ro" : ""}`);
      const inCompose = services[`gatehouse-${name}`]?.volumes.map((volume) => volume.slice(volume.indexOf(":") + 1));
      assert.deepEqual(mounted, inCompose);
      assert.deepEqual([spec.serviceAccountName, spec.automountServiceAccountToken], [`gatehouse-${name}`, false]);

      const files = (kind: string, object: string | undefined): string[] =>
        Object.keys(named(kind).find(({ metadata }) => metadata.name === object)?.data ?? {}).sort();
      const [config, credentials] = spec.volumes;
      assert.deepEqual(
        files("ConfigMap", config?.configMap?.name),
        readdirSync(join(deployFolder, "config", name)).sort(),
      );
      // Certificates of callers are in kubeconfigs; as files they are there to be renewed.
      const made = readdirSync(join(shell.folder, "deploy/kustomize/credentials/pki", name));
      const given = made.filter((file) => !/^(webhook-caller|audit-sender)\./.test(file));
      assert.deepEqual(files("Secret", credentials?.secret?.secretName), given.sort());
      assert.equal(workload?.kind, statefulServices.includes(name) ? "StatefulSet" : "Deployment");
    }

    await shell.ok("kubectl apply -f deploy/kustomize/base/namespace.yaml");
    // `ok` wants nothing on standard error: neither warnings of Pod Security, nor of anybody else.
    const lines = await shell.ok("kubectl apply --dry-run=server -k deploy/kustomize");
    assert.equal(lines.trimEnd().split("\n").length, objects.length);
    await shell.ok("kubectl apply -k deploy/kustomize");
    for (const { metadata, spec } of workloads) {
      const pod = { apiVersion: "v1", kind: "Pod", metadata, spec: withClaims(spec?.template?.spec) };
      await shell.ok("kubectl create --dry-run=server -f -", JSON.stringify(pod));
    }
    assert.match(
      await shell.fails("kubectl run careless --image=nginx:1.27 --namespace=gatehouse"),
      /violates PodSecurity "restricted:latest"/,
    );
  });
});

/** Adds volumes for the claims of a StatefulSet, as its controller does. */
function withClaims(spec: PodTemplate["spec"] | undefined): object {
  const { containers = [], volumes = [] } = spec ?? {};
  const mounts = containers.flatMap(({ volumeMounts }) => volumeMounts.map(({ name }) => name));
  const claimed = mounts.filter((name) => !volumes.some((volume) => volume.name === name));
  const claims = claimed.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...spec, volumes: [...volumes, ...claims] };
}
