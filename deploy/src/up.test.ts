import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-up-"));
after(() => rmSync(folder, { recursive: true }));
const main = fileURLToPath(new URL("main.js", import.meta.url));

/** Takes the flags of the API server and answers its readiness endpoint, after a refusal or two. */
const fakeServer = join(folder, "fake-server.mjs");
writeFileSync(
  fakeServer,
  `import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.slice(2).split(/=(.*)/s)));
const kubeconfig = flags["data-dir"].replace(/data$/, "kubeconfig");
let refusals = 2;
let bound;
const server = createServer(
  {
    cert: readFileSync(flags["tls-cert-file"]),
    key: readFileSync(flags["tls-private-key-file"]),
    ca: readFileSync(flags["client-ca-file"]),
    requestCert: true,
  },
  (request, response) => {
    if (request.method === "PATCH") bound = { url: request.url, kubeconfig: existsSync(kubeconfig) };
    if (request.url === "/die") process.exit(7);
    response.statusCode = request.url === "/readyz" && refusals-- > 0 ? 500 : 200;
    const { CN, O } = request.socket.getPeerCertificate().subject ?? {};
    response.end(JSON.stringify({ CN, O, flags, bound, pid: process.pid }));
  },
);
server.listen(Number(flags["secure-port"]), flags["bind-address"]);
process.on("SIGTERM", () => {
  console.error("fake server ends");
  setTimeout(() => process.exit(0), 20);
});
`,
);

interface Running {
  readonly process: ChildProcess;
  readonly dataDir: string;
  readonly output: () => string;
  readonly errors: () => string;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
}

/** Processes to kill at the end: one left by a failed test would keep this process waiting. */
const started = new Set<ChildProcess>();
after(() => {
  for (const child of started) {
    child.kill("SIGKILL");
  }
});

function start(name: string, ...flags: string[]): Running {
  const dataDir = join(folder, name);
  const alone = "--without=admission,image-review,audit-sink";
  const child = spawn(process.execPath, [main, "up", "--data-dir", dataDir, "--port=0", alone, ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.add(child);
  child.once("exit", () => started.delete(child));
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return { process: child, dataDir, output: () => output, errors: () => errors, ended };
}

async function until(condition: () => boolean | Promise<boolean>, running: Running): Promise<void> {
  for (let round = 0; round < 6000; round++) {
    if (await condition()) {
      return;
    }
    await sleep(10);
  }
  assert.fail(`waited too long; output: ${running.output()} errors: ${running.errors()}`);
}

const isReady = (running: Running) => until(() => running.output().includes("Ctrl-C stops everything"), running);

async function ask(running: Running, path: string): Promise<Record<string, unknown>> {
  using client = createHttpClient({ config: await loadKubeconfig(join(running.dataDir, "kubeconfig")) });
  const { body } = await client.requestJson({ path, signal: new AbortController().signal, timeoutMs: 5000 });
  return body as Record<string, unknown>;
}

function isAlive(pid: unknown): boolean {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}

test("a stack starts, says how to use it, serves the administrator, and ends cleanly on SIGTERM", async () => {
  const running = start("first", `--server-script=${fakeServer}`);
  await isReady(running);
  const kubeconfig = join(running.dataDir, "kubeconfig");
  assert.equal(running.output().split("\n")[0], `Starting the API server in ${running.dataDir}.`);
  assert.match(running.output(), /^Gatehouse is ready after \d+\.\d\d s at https:\/\/127\.0\.0\.1:\d+\n/m);
  assert.ok(running.output().includes(`\n  export KUBECONFIG=${kubeconfig}\n`));
  assert.equal(running.output().match(/^ {2}kubectl /gm)?.length, 3);
  assert.equal(statSync(kubeconfig).mode & 0o777, 0o600);
  assert.equal(statSync(running.dataDir).mode & 0o777, 0o700);

  const { CN, O, flags, bound } = await ask(running, "/api");
  assert.deepEqual([CN, O], ["kubernetes-admin", "gatehouse:cluster-admins"]);
  const { "secure-port": port, ...otherFlags } = flags as Record<string, string>;
  assert.match(port ?? "", /^\d+$/);
  assert.deepEqual(otherFlags, {
    "bind-address": "127.0.0.1",
    "cert-dir": join(running.dataDir, "pki"),
    "tls-cert-file": join(running.dataDir, "pki", "apiserver.crt"),
    "tls-private-key-file": join(running.dataDir, "pki", "apiserver.key"),
    "client-ca-file": join(running.dataDir, "pki", "cluster-ca.crt"),
    "root-ca-file": join(running.dataDir, "pki", "ca.crt"),
    "cluster-signing-cert-file": join(running.dataDir, "pki", "cluster-ca.crt"),
    "cluster-signing-key-file": join(running.dataDir, "pki", "cluster-ca.key"),
    "data-dir": join(running.dataDir, "data"),
    "service-account-issuer": "https://kubernetes.default.svc.cluster.local",
    "service-account-key-file": join(running.dataDir, "pki", "service-accounts.key"),
    "service-account-signing-key-file": join(running.dataDir, "pki", "service-accounts.key"),
    "authorization-mode": "Node,RBAC",
    "allow-privileged": "true",
    "pod-termination": "immediate",
    "admission-blame": "true",
  });
  assert.deepEqual(
    bound,
    {
      url: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/gatehouse:cluster-admins?fieldManager=gatehouse-up&force=true",
      kubeconfig: false,
    },
    "the kubeconfig appears when its user has rights",
  );

  running.process.kill("SIGTERM");
  assert.equal(await running.ended, 0);
  assert.equal(running.errors(), "");
  assert.match(running.output(), /\nStopping the API server\.\n$/);
  assert.match(readFileSync(join(running.dataDir, "apiserver.log"), "utf8"), /fake server ends/);
  assert.equal(existsSync(join(running.dataDir, "gatehouse.pid")), false);
});

test("a second start keeps the certificates, and Ctrl-C ends it", async () => {
  const authority = readFileSync(join(folder, "first", "pki", "ca.crt"), "utf8");
  const running = start("first", `--server-script=${fakeServer}`);
  await isReady(running);
  assert.equal(readFileSync(join(folder, "first", "pki", "ca.crt"), "utf8"), authority);
  running.process.kill("SIGINT");
  assert.equal(await running.ended, 0);
});

test("a later start keeps what people have put into the kubeconfig, and corrects the address", async () => {
  const path = join(folder, "first", "kubeconfig");
  const before = readFileSync(path, "utf8");
  const mine = before
    .replace("users:\n", "users:\n- name: robot # mine\n  user:\n    token: secret\n")
    .replace("user: kubernetes-admin\n", "user: kubernetes-admin\n    namespace: team\n")
    .replace(/^current-context: .*$/m, "current-context: elsewhere");
  assert.notEqual(mine, before);
  writeFileSync(path, mine);
  const running = start("first", `--server-script=${fakeServer}`);
  await isReady(running);
  const [, address = ""] = /at (https:\/\/\S+)/.exec(running.output()) ?? [];
  assert.equal(readFileSync(path, "utf8"), mine.replace(/server: .*$/m, `server: ${address}`));
  running.process.kill("SIGTERM");
  assert.equal(await running.ended, 0);
});

test("a kubeconfig that is none ends the start with one sentence, and stays as it is", async () => {
  mkdirSync(join(folder, "none"));
  const path = join(folder, "none", "kubeconfig");
  writeFileSync(path, "users: [");
  const running = start("none", `--server-script=${fakeServer}`);
  assert.equal(await running.ended, 1);
  assert.equal(running.errors(), `gatehouse: kubeconfig: ${path}: is not a map in valid YAML\n`);
  assert.equal(readFileSync(path, "utf8"), "users: [");

  mkdirSync(join(folder, "folder", "kubeconfig"), { recursive: true });
  const instead = start("folder", `--server-script=${fakeServer}`);
  assert.equal(await instead.ended, 1);
  assert.equal(
    instead.errors(),
    `gatehouse: kubeconfig: ${join(instead.dataDir, "kubeconfig")}: cannot be read (EISDIR)\n`,
  );
});

test("flags for a process reach it after those of the stack, with their dashes or without", async () => {
  const flags = ["--apiserver-flag=--v=4,5", "--apiserver-flag=admission-blame=false"];
  const running = start("flags", `--server-script=${fakeServer}`, ...flags);
  await isReady(running);
  const { flags: taken } = await ask(running, "/api");
  assert.deepEqual([Reflect.get(Object(taken), "v"), Reflect.get(Object(taken), "admission-blame")], ["4,5", "false"]);
  running.process.kill("SIGTERM");
  assert.equal(await running.ended, 0);
});

test("flags for processes that are not started, and of addresses, are refused", async () => {
  const running = start(
    "refused",
    "--audit-sink-flag=--v=4",
    "--token-review-flag=v=4",
    "--apiserver-flag=--secure-port=1",
  );
  assert.equal(await running.ended, 1);
  assert.equal(
    running.errors(),
    `gatehouse: flags: 3 problems:
  - --apiserver-flag: --secure-port is set by the stack; choose the port with --port
  - --token-review-flag: this process is not started; add --with=token-review
  - --audit-sink-flag: this process is not started: --without=audit-sink leaves it out
`,
  );
});

test("a server that dies is started again, and one that outlives its supervisor ends by itself", async () => {
  const running = start("restarts", `--server-script=${fakeServer}`);
  await isReady(running);
  const { pid } = await ask(running, "/api");
  await assert.rejects(ask(running, "/die"));
  await until(
    () => running.output().includes("The API server ended with code 7; starting it again in 0.25 s."),
    running,
  );
  let second: unknown;
  await until(async () => {
    second = await ask(running, "/api").then(
      (answer) => answer["pid"],
      () => undefined,
    );
    return second !== undefined;
  }, running);
  assert.notEqual(second, pid);
  running.process.kill("SIGKILL");
  await running.ended;
  await until(() => !isAlive(second), running);

  const again = start("restarts", `--server-script=${fakeServer}`);
  await isReady(again);
  again.process.kill("SIGTERM");
  assert.equal(await again.ended, 0, "the lock of a process that was killed is taken over");
});

test("two stacks on one data directory are told apart", async () => {
  const running = start("shared", `--server-script=${fakeServer}`);
  await isReady(running);
  const second = start("shared", `--server-script=${fakeServer}`);
  assert.equal(await second.ended, 1);
  assert.equal(
    second.errors(),
    `gatehouse: another gatehouse (process ${running.process.pid}) is already running on the data directory ${running.dataDir}; stop it first, or choose another with --data-dir.\n`,
  );
  running.process.kill("SIGTERM");
  assert.equal(await running.ended, 0);
});

test("a signal during the start ends it", async () => {
  const silent = join(folder, "silent-server.mjs");
  writeFileSync(silent, "setInterval(() => {}, 1000);");
  const running = start("interrupted", `--server-script=${silent}`);
  await until(() => existsSync(join(running.dataDir, "apiserver.log")), running);
  running.process.kill("SIGTERM");
  assert.equal(await running.ended, 0);
  assert.equal(running.output(), `Starting the API server in ${running.dataDir}.\nStopping the API server.\n`);
  assert.equal(running.errors(), "");
});

test("a port in use is one sentence", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const address = holder.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const running = start("port", `--port=${port}`, `--server-script=${fakeServer}`);
  assert.equal(await running.ended, 1);
  assert.equal(running.errors(), `gatehouse: port ${port} is in use by another process; choose another with --port.\n`);
  holder.close();
});

test("a data directory that cannot be used is one sentence", async () => {
  writeFileSync(join(folder, "file"), "");
  const below = start("file/below");
  assert.equal(await below.ended, 1);
  assert.equal(
    below.errors(),
    `gatehouse: the data directory ${join(folder, "file/below")} cannot be used: part of the path is a file.\n`,
  );
  const file = start("file");
  assert.equal(await file.ended, 1);
  assert.equal(file.errors(), `gatehouse: the data directory ${join(folder, "file")} cannot be used: it is a file.\n`);
  mkdirSync(join(folder, "blocked", "pki", "ca.key"), { recursive: true });
  const blocked = start("blocked");
  assert.equal(await blocked.ended, 1);
  assert.match(blocked.errors(), /^gatehouse: the data directory .* cannot be used: .+\.\n$/);
});

test("a server that cannot start is reported with the end of what it has logged since", async () => {
  const broken = join(folder, "broken-server.mjs");
  writeFileSync(broken, 'console.error("unknown flag: --cert-dir"); process.exit(3);');
  mkdirSync(join(folder, "broken"));
  writeFileSync(join(folder, "broken", "apiserver.log"), "a line of an earlier start\n");
  const running = start("broken", `--server-script=${broken}`);
  assert.equal(await running.ended, 1);
  assert.equal(
    running.errors(),
    `gatehouse: the API server ended with code 3 before it was ready; its log (${join(running.dataDir, "apiserver.log")}) ends with:\nunknown flag: --cert-dir\n`,
  );
});

test("wrong flags are listed, and help and version are answered", async () => {
  const wrong = start("wrong", "--prot=1", "--port=x");
  assert.equal(await wrong.ended, 1);
  assert.match(
    wrong.errors(),
    /^gatehouse: arguments: 2 problems:\n {2}- unknown flag: --prot, did you mean --port\?\n/,
  );
  const commands = spawnSync(process.execPath, [main, "--help"], { encoding: "utf8" });
  assert.match(commands.stdout, /^ {2}up +Start .*\n {2}pki +Make /m);
  const help = start("help", "--help");
  assert.equal(await help.ended, 0);
  assert.match(help.output(), /--data-dir directory\n/);
  const version = start("version", "--version");
  assert.equal(await version.ended, 0);
  assert.match(version.output(), /^gatehouse v\d+\.\d+\.\d+\n$/);
});
