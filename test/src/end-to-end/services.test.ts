import assert from "node:assert/strict";
import { describeKubectl, modern } from "../support/kubectl-matrix.js";
import type { KubectlShell } from "../support/kubectl-shell.js";

interface ServicePort {
  readonly nodePort?: number;
}

interface ServiceSpec {
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly ipFamilies?: readonly string[];
  readonly ipFamilyPolicy?: string;
  readonly healthCheckNodePort?: number;
  readonly ports?: readonly ServicePort[];
}

async function specOf(shell: KubectlShell, name: string): Promise<ServiceSpec> {
  return JSON.parse(await shell.ok(`kubectl get svc ${name} -o json`)).spec;
}

function assertClusterIP(spec: ServiceSpec): void {
  assert.match(spec.clusterIP ?? "", /^10\.(9[6-9]|10\d|11[01])\.\d+\.\d+$/);
  assert.deepEqual(spec.clusterIPs, [spec.clusterIP]);
  assert.deepEqual(spec.ipFamilies, ["IPv4"]);
  assert.equal(spec.ipFamilyPolicy, "SingleStack");
}

function assertNodePort(port: number | undefined): void {
  assert.ok(port !== undefined && port >= 30000 && port <= 32767, String(port));
}

/** Ports of the static band (KEP-3668), which the server gives to no test that runs beside the one that names them. */
const staticNodePorts = { edited: 30011, dryRun: 30012 } as const;

await describeKubectl("services", (matrix) => {
  matrix.test("every type of service gets what it needs, and kubectl shows it", "chosen", async ({ shell }) => {
    await shell.ok("kubectl create service clusterip inner --tcp=80:8080");
    assertClusterIP(await specOf(shell, "inner"));

    await shell.ok("kubectl create service clusterip alone --clusterip=None --tcp=80");
    const headless = await specOf(shell, "alone");
    assert.deepEqual(
      [headless.clusterIP, headless.clusterIPs, headless.ipFamilies, headless.ipFamilyPolicy],
      ["None", ["None"], ["IPv4"], "SingleStack"],
    );

    await shell.ok("kubectl create service nodeport outer --tcp=80 --tcp=443");
    const outer = await specOf(shell, "outer");
    assertClusterIP(outer);
    const nodePorts = outer.ports?.map((port) => port.nodePort) ?? [];
    nodePorts.forEach(assertNodePort);
    assert.equal(new Set(nodePorts).size, 2);

    await shell.ok("kubectl create service loadbalancer cloud --tcp=80");
    const cloud = await specOf(shell, "cloud");
    assertClusterIP(cloud);
    assertNodePort(cloud.ports?.[0]?.nodePort);

    await shell.ok("kubectl create service externalname other --external-name=example.com");
    assert.equal((await specOf(shell, "other")).clusterIP, undefined);

    const rows = (await shell.ok("kubectl get svc --no-headers")).trim().split("\n");
    assert.deepEqual(
      rows.map((row) => row.split(/\s+/).slice(0, 5).join(" ")),
      [
        "alone ClusterIP None <none> 80/TCP",
        `cloud LoadBalancer ${cloud.clusterIP} <pending> 80:${cloud.ports?.[0]?.nodePort}/TCP`,
        `inner ClusterIP ${(await specOf(shell, "inner")).clusterIP} <none> 80/TCP`,
        "other ExternalName <none> example.com <none>",
        `outer NodePort ${outer.clusterIP} <none> 80:${nodePorts[0]}/TCP,443:${nodePorts[1]}/TCP`,
      ],
    );
    assert.match(await shell.ok("kubectl describe svc inner"), /^IP Families: +IPv4$/m);
  });

  matrix.test("expose makes services with addresses", "chosen", async ({ shell }) => {
    await shell.ok("kubectl create deployment web --image=nginx");
    await shell.ok("kubectl expose deployment web --port=80 --target-port=8080 --type=NodePort");
    const spec = await specOf(shell, "web");
    assertClusterIP(spec);
    assertNodePort(spec.ports?.[0]?.nodePort);
  });

  matrix.test("edit changes the type, and with it what the service holds", "newest", async ({ shell }) => {
    const edit = (from: string, to: string): Promise<string> =>
      shell.ok(`KUBE_EDITOR="sed -i 's/type: ${from}$/type: ${to}/'" kubectl edit svc web`);
    await shell.ok("kubectl create service clusterip web --tcp=80");
    const { clusterIP } = await specOf(shell, "web");
    await edit("ClusterIP", "NodePort");
    const onNodes = await specOf(shell, "web");
    assert.equal(onNodes.clusterIP, clusterIP);
    const nodePort = onNodes.ports?.[0]?.nodePort;
    assertNodePort(nodePort);
    await edit("NodePort", "LoadBalancer");
    assert.equal((await specOf(shell, "web")).ports?.[0]?.nodePort, nodePort);
    await shell.ok(`kubectl patch svc web -p '{"spec":{"ports":[{"port":80,"nodePort":${staticNodePorts.edited}}]}}'`);
    await edit("LoadBalancer", "ClusterIP");
    assert.equal((await specOf(shell, "web")).ports?.[0]?.nodePort, undefined);
    // Freed: somebody else can have it now.
    await shell.ok(`kubectl create service nodeport next --tcp=80 --node-port=${staticNodePorts.edited}`);
  });

  matrix.test("replace --force and delete free addresses at once", "newest", async ({ shell }) => {
    await shell.ok("kubectl create service clusterip a --tcp=80");
    const { clusterIP } = await specOf(shell, "a");
    await shell.ok("kubectl get svc a -o yaml > a.yaml");
    await shell.ok("kubectl replace --force -f a.yaml");
    assert.equal((await specOf(shell, "a")).clusterIP, clusterIP);
    await shell.ok("kubectl delete svc a");
    await shell.ok(`kubectl create service clusterip b --tcp=80 --clusterip=${clusterIP}`);
    assert.equal((await specOf(shell, "b")).clusterIP, clusterIP);
  });

  matrix.test("what cannot be had is refused in the words of v1.29", "chosen", async ({ shell }) => {
    await shell.ok("kubectl create service nodeport taken --tcp=80");
    const { clusterIP, ports } = await specOf(shell, "taken");
    const nodePort = ports?.[0]?.nodePort;
    const refusals = [
      [
        `kubectl create service clusterip x --tcp=80 --clusterip=${clusterIP}`,
        `error: failed to create ClusterIP service: Service "x" is invalid: spec.clusterIPs: Invalid value: []string{"${clusterIP}"}: failed to allocate IP ${clusterIP}: provided IP is already allocated\n`,
      ],
      [
        "kubectl create service clusterip x --tcp=80 --clusterip=10.1.0.1",
        'error: failed to create ClusterIP service: Service "x" is invalid: spec.clusterIPs: Invalid value: []string{"10.1.0.1"}: failed to allocate IP 10.1.0.1: the provided IP (10.1.0.1) is not in the valid range. The range of valid IPs is 10.96.0.0/12\n',
      ],
      [
        `kubectl create service nodeport x --tcp=80 --node-port=${nodePort}`,
        `error: failed to create NodePort service: Service "x" is invalid: spec.ports[0].nodePort: Invalid value: ${nodePort}: provided port is already allocated\n`,
      ],
      [
        "kubectl create service nodeport x --tcp=80 --node-port=80",
        'error: failed to create NodePort service: Service "x" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767\n',
      ],
      [
        `kubectl patch svc taken -p '{"spec":{"clusterIP":"10.96.0.9"}}'`,
        'The Service "taken" is invalid: spec.clusterIPs[0]: Invalid value: []string{"10.96.0.9"}: may not change once set\n',
      ],
    ] as const;
    for (const [command, message] of refusals) {
      assert.equal(await shell.fails(command), message);
    }
    assert.equal((await specOf(shell, "taken")).clusterIP, clusterIP);
  });

  matrix.test("a dry run takes nothing", "newest", async ({ shell }) => {
    const asked = `--tcp=80 --node-port=${staticNodePorts.dryRun}`;
    await shell.ok(`kubectl create service nodeport try ${asked} --dry-run=server`);
    await shell.ok(`kubectl create service nodeport try ${asked}`);
    assert.equal((await specOf(shell, "try")).ports?.[0]?.nodePort, staticNodePorts.dryRun);
  });

  matrix.test("the kubernetes service has the first address, and gets it back", modern("newest"), async ({ shell }) => {
    const address = "kubectl get svc kubernetes -n default -o jsonpath='{.spec.clusterIP}'";
    assert.equal(await shell.ok(address), "10.96.0.1");
    await shell.ok("kubectl delete svc kubernetes -n default");
    await shell.ok(`for i in $(seq 100); do ${address} >/dev/null 2>&1 && break; sleep 0.1; done`);
    assert.equal(await shell.ok(address), "10.96.0.1");
  });
});
