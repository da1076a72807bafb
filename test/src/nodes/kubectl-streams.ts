import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type CommandIo, runInFolder, type TestPod } from "@gatehouse/testing/kubelet";
import { describeKubectlOn, type KubectlMatrix, type KubectlTest, modern } from "../support/kubectl-matrix.js";
import type { RunningCommand } from "../support/running-command.js";
import { until } from "../support/until.js";
import { proxiedAddress, type ServerWithNode } from "./server-with-node.js";

/** Bytes that pass through a server in each direction; STREAM_BYTES sets another number. */
const streamBytes = Number(process.env["STREAM_BYTES"] ?? 4 * 1024 * 1024);

/** Versions for tests of streams, whose protocols differ. */
const all = modern("every");
/** Versions for all other tests: the newest, and in the soak those that it is for. */
const few = modern(process.env["KUBECTLS"] === undefined ? "newest" : "every");

type Given = KubectlTest<ServerWithNode>;

/** Describes what kubectl gets from pods through a server. The node is a stand-in whose pods answer from scripts. */
export async function describeStreams(title: string, start: () => Promise<ServerWithNode>): Promise<void> {
  await describeKubectlOn(title, start, (matrix) => {
    describeLogs(matrix);
    describeCommands(matrix);
    describeConnections(matrix);
  });
}

function describeLogs(matrix: KubectlMatrix<ServerWithNode>): void {
  matrix.test("logs of a container, in part, of its last run, and -f until it ends", few, async (given) => {
    const { shell } = given;
    const web = await runWeb(given);
    assert.equal(await shell.ok("kubectl logs web"), "first\nsecond\nthird\n");
    assert.equal(await shell.ok("kubectl logs web --tail=1 --timestamps"), "2024-01-01T00:00:02.000000000Z third\n");
    assert.equal(await shell.ok("kubectl logs web --since-time=2024-01-01T00:00:01Z --limit-bytes=9"), "second\nth");
    assert.equal(await shell.ok("kubectl logs web --previous"), "the last run\n");
    assert.match(await shell.fails("kubectl logs web -c none"), /container none is not valid for pod web/);

    const following = shell.start("kubectl logs -f web --tail=1");
    await untilSaid(following, "third\n");
    web.log("fourth");
    await untilSaid(following, "third\nfourth\n");
    await web.finish();
    assert.deepEqual(await following.ended, { code: 0, stdout: "third\nfourth\n", stderr: "" });
  });
}

function describeCommands(matrix: KubectlMatrix<ServerWithNode>): void {
  matrix.test(
    `exec with input, both outputs, an exit code, a terminal and ${streamBytes} bytes`,
    all,
    async (given) => {
      const { shell } = given;
      await runWeb(given);
      assert.deepEqual(await shell.run("kubectl exec -i web -- upper", "shout"), {
        code: 3,
        stdout: "SHOUT",
        stderr: "a warning\ncommand terminated with exit code 3\n",
      });
      assert.match(
        await shell.fails("kubectl exec web -- rm"),
        /error executing command in container: .*no program rm/,
      );

      const inTerminal = "stty rows 31 cols 97; kubectl exec -it web -- size";
      const { code, stdout } = await shell.run(`script -qec '${inTerminal}' /dev/null`);
      // kubectl may still be writing the size of its window when the command has ended, and logs the error of that write.
      const shown = stdout.replace(/^E\d{4} .* v2\.go:\d+\] .*\r?\n/m, "");
      assert.deepEqual({ code, shown }, { code: 0, shown: "97x31 terminal\r\n" });

      assert.equal(
        await shell.ok(`head -c ${streamBytes} /dev/zero | kubectl exec -i web -- count`),
        `${streamBytes}\n`,
      );
      assert.equal(await shell.ok("kubectl exec web -- flood | wc -c"), `${streamBytes}\n`);
    },
  );

  matrix.test("attach to a container, and cp to one and back", few, async (given) => {
    const { shell, server, namespace } = given;
    await runWeb(given);
    const { code, stdout } = await shell.run("kubectl attach -i web --quiet", "hello");
    assert.deepEqual({ code, stdout }, { code: 0, stdout: "heard hello\n" });

    // The commands that kubectl sends are run by the real tar, in a folder beside that of the shell.
    const box = join(shell.folder, "box");
    await mkdir(box);
    await server.node.runPod({ name: "files", namespace, exec: runInFolder(box) });
    const content = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
    await writeFile(join(shell.folder, "one"), content);
    await shell.ok("kubectl cp one files:two");
    assert.deepEqual(await readFile(join(box, "two")), content);
    await shell.run("kubectl cp files:two three");
    assert.deepEqual(await readFile(join(shell.folder, "three")), content);
  });
}

function describeConnections(matrix: KubectlMatrix<ServerWithNode>): void {
  matrix.test("port-forward of connections side by side", all, async (given) => {
    const { shell } = given;
    await using site = await startSite();
    await runWeb(given, { 80: site.port });
    const forwarding = shell.start("kubectl port-forward web :80 :7");
    const [page, echo] = await untilMatched(forwarding, /127\.0\.0\.1:(\d+) -> 80[\s\S]*127\.0\.0\.1:(\d+) -> 7/);
    const answers = await Promise.all([
      fetchText(page, "/a"),
      fetchText(page, "/b"),
      sendAndRead(echo, "there and back"),
    ]);
    assert.deepEqual(answers, ["page /a", "page /b", "there and back"]);
    await forwarding.stop();
  });

  const skipped = proxiedAddress === undefined ? { of: "newest" as const, minor: 99 } : few;
  matrix.test("proxy to the kubelet and to a port of a pod", skipped, async (given) => {
    await using site = await startSite(proxiedAddress);
    await runWeb(given);
    const proxy = given.shell.start("kubectl proxy --port=0");
    const [port] = await untilMatched(proxy, /Starting to serve on 127\.0\.0\.1:(\d+)/);
    assert.equal(await fetchText(port, "/api/v1/nodes/worker-1/proxy/metrics"), "up 1\n");
    const pod = `/api/v1/namespaces/${given.namespace}/pods/web:${site.port}/proxy/index?a=b`;
    assert.equal(await fetchText(port, pod), "page /index?a=b");
    await proxy.stop();
  });
}

/** Runs the pod that most tests use. */
async function runWeb({ server, namespace }: Given, ports: Record<number, number> = {}): Promise<TestPod> {
  return await server.node.runPod({
    name: "web",
    namespace,
    logs: ["first", "second", "third"].map((text, second) => ({
      text,
      time: new Date(Date.UTC(2024, 0, 1, 0, 0, second)),
    })),
    previousLogs: ["the last run"],
    exec: ([program = ""], io) => runProgram(program, io),
    async attach({ stdin, stdout }) {
      stdout.write(`heard ${await text(stdin)}\n`);
    },
    ports: { ...ports, 7: (connection) => void connection.pipe(connection) },
  });
}

async function runProgram(program: string, { stdin, stdout, stderr, sizes, tty }: CommandIo): Promise<number> {
  switch (program) {
    case "upper":
      stdout.write((await text(stdin)).toUpperCase());
      stderr.write("a warning\n");
      return 3;
    case "size":
      for await (const { width, height } of sizes) {
        stdout.write(`${width}x${height} ${tty ? "terminal" : "pipe"}\r\n`);
        break;
      }
      return 0;
    case "count": {
      let count = 0;
      for await (const piece of stdin) {
        count += piece.length;
      }
      stdout.write(`${count}\n`);
      return 0;
    }
    case "flood": {
      const piece = Buffer.alloc(64 * 1024);
      for (let left = streamBytes; left > 0; left -= piece.length) {
        await new Promise((resolve) => stdout.write(piece.subarray(0, left), resolve));
      }
      return 0;
    }
    default:
      throw new Error(`there is no program ${program}`);
  }
}

async function startSite(host = "127.0.0.1"): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((request, response) => response.end(`page ${request.url}`));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function fetchText(port: string | undefined, path: string): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
}

async function sendAndRead(port: string | undefined, said: string): Promise<string> {
  const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true }).end(said);
  return await text(socket);
}

async function untilSaid(running: RunningCommand, stdout: string): Promise<void> {
  await until(`kubectl says ${JSON.stringify(stdout)}`, () => running.stdout() === stdout);
}

async function untilMatched(running: RunningCommand, pattern: RegExp): Promise<readonly string[]> {
  await until(`kubectl says ${pattern}`, () => pattern.test(running.stdout()));
  return (pattern.exec(running.stdout()) as RegExpExecArray).slice(1);
}
