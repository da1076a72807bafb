import assert from "node:assert/strict";
import { describeKubectl, modern } from "../support/kubectl-matrix.js";
import type { KubectlShell } from "../support/kubectl-shell.js";
import { webDeployment } from "./sample-objects.js";

const field = (shell: KubectlShell, object: string, path: string): Promise<string> =>
  shell.ok(`kubectl get ${object} -o jsonpath='{${path}}'`);

await describeKubectl("kubectl writes", (matrix) => {
  matrix.test("apply creates, then changes nothing, then only what changed", "every", async ({ shell }) => {
    await shell.write("web.yaml", webDeployment);
    assert.equal(await shell.ok("kubectl apply -f web.yaml"), "deployment.apps/web created\n");
    const before = await field(shell, "deploy/web", ".metadata.resourceVersion");
    assert.equal(await shell.ok("kubectl apply -f web.yaml"), "deployment.apps/web unchanged\n");
    assert.equal(await field(shell, "deploy/web", ".metadata.resourceVersion"), before, "nothing was written");
    await shell.ok("kubectl scale deploy web --replicas=5");
    await shell.write("web.yaml", webDeployment.replace("nginx:1.25", "nginx:1.26").replace("  replicas: 2\n", ""));
    assert.equal(await shell.ok("kubectl apply -f web.yaml"), "deployment.apps/web configured\n");
    assert.equal(await field(shell, "deploy/web", ".spec.template.spec.containers[0].image"), "nginx:1.26");
    assert.equal(await field(shell, "deploy/web", ".spec.replicas"), "1", "what the file no longer says is defaulted");
    const last = await shell.ok("kubectl apply view-last-applied deploy/web -o json");
    assert.equal(JSON.parse(last).spec.template.spec.containers[0].image, "nginx:1.26");
  });

  matrix.test("diff shows what apply would do and writes nothing", "chosen", async ({ shell }) => {
    await shell.write("web.yaml", webDeployment);
    await shell.ok("kubectl apply -f web.yaml");
    assert.equal(await shell.ok("kubectl diff -f web.yaml"), "");
    await shell.write("web.yaml", webDeployment.replace("replicas: 2", "replicas: 4"));
    const { code, stdout } = await shell.run("kubectl diff -f web.yaml");
    assert.equal(code, 1);
    assert.match(stdout, /^- {2}replicas: 2\n\+ {2}replicas: 4$/m);
    assert.equal(
      await shell.ok("kubectl apply -f web.yaml --dry-run=server"),
      "deployment.apps/web configured (server dry run)\n",
    );
    assert.equal(await field(shell, "deploy/web", ".spec.replicas"), "2");
  });

  matrix.test("apply --prune removes what is no longer in the file", modern("newest"), async ({ shell }) => {
    const two = ["kept", "dropped"].map(
      (name) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {set: one}}\n---\n`,
    );
    await shell.ok("kubectl apply -l set=one --prune --prune-allowlist=core/v1/ConfigMap -f -", two.join(""));
    assert.equal(
      await shell.ok("kubectl apply -l set=one --prune --prune-allowlist=core/v1/ConfigMap -f -", two[0]),
      "configmap/kept unchanged\nconfigmap/dropped pruned\n",
    );
  });

  matrix.test(
    "label and annotate add, refuse to overwrite, overwrite and remove",
    modern("chosen"),
    async ({ shell }) => {
      const annotated = shell.kubectl.minor < 28 ? "configmap/box annotate\n" : "configmap/box annotated\n";
      await shell.ok("kubectl create configmap box --from-literal=a=b");
      assert.equal(await shell.ok("kubectl label configmap box color=red size=big"), "configmap/box labeled\n");
      assert.equal(
        await shell.fails("kubectl label configmap box color=blue"),
        "error: 'color' already has a value (red), and --overwrite is false\n",
      );
      await shell.ok("kubectl label configmap box color=blue --overwrite");
      assert.equal(await shell.ok("kubectl label configmap box size-"), "configmap/box unlabeled\n");
      assert.equal(await field(shell, "configmap/box", ".metadata.labels"), '{"color":"blue"}');
      assert.equal(await shell.ok("kubectl annotate configmap box note='two words'"), annotated);
      assert.equal(await field(shell, "configmap/box", ".metadata.annotations.note"), "two words");
      await shell.ok("kubectl annotate configmap box note-");
      assert.equal(await field(shell, "configmap/box", ".metadata.annotations"), "");
      assert.equal(
        await shell.ok("kubectl label configmaps --all all=yes"),
        "configmap/box labeled\nconfigmap/kube-root-ca.crt labeled\n",
      );
    },
  );

  matrix.test("patch has three types", "every", async ({ shell }) => {
    await shell.ok("kubectl create -f -", webDeployment);
    const patch = (flags: string, document: unknown): Promise<string> =>
      shell.ok(`kubectl patch deploy web ${flags} -p '${JSON.stringify(document)}'`);
    const sidecar = { name: "sidecar", image: "busybox" };
    const containers = (items: unknown[]) => ({ spec: { template: { spec: { containers: items } } } });
    assert.equal(await patch("", containers([sidecar])), "deployment.apps/web patched\n");
    const images = ".spec.template.spec.containers[*].image";
    assert.equal(await field(shell, "deploy/web", images), "busybox nginx:1.25", "merged by name");
    assert.equal(await patch("--type=merge", containers([sidecar])), "deployment.apps/web patched\n");
    assert.equal(await field(shell, "deploy/web", images), "busybox", "replaced");
    const operations = [
      { op: "test", path: "/spec/template/spec/containers/0/name", value: "sidecar" },
      { op: "replace", path: "/spec/template/spec/containers/0/image", value: "busybox:1.36" },
      { op: "add", path: "/metadata/labels/patched", value: "yes" },
    ];
    assert.equal(await patch("--type=json", operations), "deployment.apps/web patched\n");
    assert.equal(await field(shell, "deploy/web", images), "busybox:1.36");
    assert.equal(await patch("--type=merge", { spec: { replicas: 2 } }), "deployment.apps/web patched (no change)\n");
  });

  matrix.test("edit opens an editor and sends what was saved", "chosen", async ({ shell }) => {
    await shell.ok("kubectl create configmap page --from-literal=text=first");
    const edit = (script: string): string => `EDITOR="sed -i -e ${script}" kubectl edit configmap page`;
    assert.equal(await shell.ok(edit("s/first/second/")), "configmap/page edited\n");
    assert.equal(await field(shell, "configmap/page", ".data.text"), "second");
    const unchanged = await shell.run("EDITOR=true kubectl edit configmap page");
    assert.equal(unchanged.code, 0);
    assert.match(unchanged.stdout + unchanged.stderr, /Edit cancelled, no changes made\./);
    await shell.ok("kubectl create -f -", webDeployment);
    assert.equal(
      await shell.ok(`EDITOR="sed -i -e s/nginx:1.25/nginx:1.27/" kubectl edit deploy web --output-patch`),
      'Patch: {"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"web"}],"containers":[{"image":"nginx:1.27","name":"web"}]}}}}\ndeployment.apps/web edited\n',
    );
    assert.equal(await field(shell, "deploy/web", ".spec.template.spec.containers[0].image"), "nginx:1.27");
  });

  matrix.test("replace puts a whole object in the place of another", "chosen", async ({ shell }) => {
    await shell.ok("kubectl create configmap page --from-literal=text=first --from-literal=more=yes");
    const replacement = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: page}\ndata: {text: second}\n";
    const uid = await field(shell, "configmap/page", ".metadata.uid");
    assert.equal(await shell.ok("kubectl replace -f -", replacement), "configmap/page replaced\n");
    assert.equal(await field(shell, "configmap/page", ".data"), '{"text":"second"}');
    assert.equal(await field(shell, "configmap/page", ".metadata.uid"), uid);
    await shell.write("page.yaml", replacement);
    assert.equal(
      await shell.ok("kubectl replace --force -f page.yaml"),
      'configmap "page" deleted\nconfigmap/page replaced\n',
    );
    assert.notEqual(await field(shell, "configmap/page", ".metadata.uid"), uid);
  });

  matrix.test("scale, set, autoscale, expose and rollout work on a Deployment", "every", async ({ shell }) => {
    await shell.ok("kubectl create -f -", webDeployment);
    assert.equal(await shell.ok("kubectl scale deploy web --replicas=3"), "deployment.apps/web scaled\n");
    assert.equal(
      await shell.ok("kubectl scale deploy web --current-replicas=3 --replicas=4"),
      "deployment.apps/web scaled\n",
    );
    assert.equal(
      await shell.fails("kubectl scale deploy web --current-replicas=3 --replicas=5"),
      "error: Expected replicas to be 3, was 4\n",
    );
    assert.equal(await shell.ok("kubectl set image deploy/web web=nginx:1.26"), "deployment.apps/web image updated\n");
    assert.equal(await shell.ok("kubectl set env deploy/web COLOR=red"), "deployment.apps/web env updated\n");
    assert.equal(await shell.ok("kubectl set env deploy/web --list"), "# Deployment web, container web\nCOLOR=red\n");
    assert.equal(
      await shell.ok("kubectl set resources deploy/web --limits=cpu=1,memory=128Mi"),
      "deployment.apps/web resource requirements updated\n",
    );
    assert.equal(
      await shell.ok("kubectl set serviceaccount deploy web runner"),
      "deployment.apps/web serviceaccount updated\n",
    );
    assert.equal(await field(shell, "deploy/web", ".spec.template.spec.serviceAccount"), "runner");
    assert.equal(
      await shell.ok("kubectl autoscale deploy web --min=2 --max=5 --cpu-percent=70"),
      "horizontalpodautoscaler.autoscaling/web autoscaled\n",
    );
    assert.equal(await field(shell, "hpa/web", ".spec.metrics[0].resource.target.averageUtilization"), "70");
    assert.equal(await shell.ok("kubectl expose deploy web --port=80 --target-port=8080"), "service/web exposed\n");
    assert.equal(await field(shell, "service/web", ".spec.ports[0].targetPort"), "8080");
    assert.equal(await shell.ok("kubectl rollout restart deploy web"), "deployment.apps/web restarted\n");
    assert.notEqual(
      await field(shell, "deploy/web", ".spec.template.metadata.annotations.kubectl\\.kubernetes\\.io/restartedAt"),
      "",
    );
    assert.equal(await shell.ok("kubectl rollout pause deploy web"), "deployment.apps/web paused\n");
    assert.equal(await shell.ok("kubectl rollout resume deploy web"), "deployment.apps/web resumed\n");
    assert.match(await shell.ok("kubectl rollout history deploy web"), /^deployment\.apps\/web /);
    assert.match(await field(shell, "deploy/web", ".metadata.generation"), /^\d+$/);
  });
});
