import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openCommandStreams } from "./command-streams.js";
import type { KubeletRoutes } from "./kubelet-server.js";
import { LogQueryError, readLogQuery } from "./log-query.js";
import type { RunningContainer, RunningPod } from "./pod-runtime.js";
import { forwardPorts } from "./port-forward.js";
import { runCommand } from "./run-command.js";
import { KubeletError, type Upgrade } from "./upgrade.js";

/** Pods and pages that a kubelet serves. */
export interface KubeletContent {
  readonly nodeName: string;
  readonly webSocketV5: boolean;
  /** Pages by path: text, or values that are sent as JSON. */
  readonly pages: Readonly<Record<string, unknown>>;
  /** Pods on the node now. */
  pods(): readonly RunningPod[];
}

interface Target {
  /** The first part of the path. */
  readonly route: string;
  /** The other parts, decoded. */
  readonly parts: readonly string[];
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Makes the routes of a kubelet that answers from scripts. */
export function kubeletRoutes(content: KubeletContent): KubeletRoutes {
  return {
    async request(request, response) {
      const target = targetOf(request);
      if (target.route === "containerLogs") {
        await sendLogs(content, target, response);
      } else if (target.route === "run" && request.method === "POST") {
        await sendRun(content, target, response);
      } else if (["exec", "attach", "portForward"].includes(target.route)) {
        throw new KubeletError(400, "Upgrade request required");
      } else {
        sendPage(content, target, response);
      }
    },
    async upgrade(upgrade) {
      const target = targetOf(upgrade.request);
      if (target.route === "portForward") {
        const { ports } = podOf(content, target).script;
        await forwardPorts(upgrade, target.query, ports);
      } else if (target.route === "exec" || target.route === "attach") {
        await runOnStreams(content, target, upgrade);
      } else {
        throw new KubeletError(400, `there is no upgrade at ${target.path}`);
      }
    },
  };
}

function targetOf({ url = "" }: IncomingMessage): Target {
  try {
    const { pathname, searchParams } = new URL(url, "https://kubelet");
    const [route = "", ...parts] = pathname
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent);
    return { route, parts, path: pathname, query: searchParams };
  } catch {
    throw new KubeletError(400, `the path ${JSON.stringify(url)} cannot be read`);
  }
}

function podOf({ pods }: KubeletContent, { parts: [namespace, name] }: Target): RunningPod {
  const pod = pods().find((each) => each.namespace === namespace && each.name === name);
  if (pod === undefined) {
    throw new KubeletError(404, "pod does not exist");
  }
  return pod;
}

/** Paths are `/exec/namespace/pod/container`, or have the pod's uid before the container. */
function containerOf(content: KubeletContent, target: Target): { pod: RunningPod; container: RunningContainer } {
  const pod = podOf(content, target);
  const name = target.parts[target.parts.length > 3 ? 3 : 2] ?? "";
  const container = pod.containers.get(name);
  if (container === undefined) {
    throw new KubeletError(404, `container not found (${JSON.stringify(name)})`);
  }
  return { pod, container };
}

async function sendLogs(content: KubeletContent, target: Target, response: ServerResponse): Promise<void> {
  const query = logQueryOf(target.query);
  const { pod, container } = containerOf(content, target);
  const log = query.previous ? container.previousLog : container.log;
  if (log === undefined) {
    const place = `${JSON.stringify(container.name)} in pod ${JSON.stringify(pod.name)}`;
    throw new KubeletError(400, `previous terminated container ${place} not found`);
  }
  const abort = new AbortController();
  response.once("close", () => abort.abort());
  response.writeHead(200, { "content-type": "text/plain" });
  response.flushHeaders();
  // The last run of a container has ended.
  await pipeline(log.read({ ...query, follow: query.follow && !query.previous }, abort.signal), response);
}

function logQueryOf(query: URLSearchParams): ReturnType<typeof readLogQuery> {
  try {
    return readLogQuery(query);
  } catch (error) {
    throw error instanceof LogQueryError ? new KubeletError(error.status, error.message) : error;
  }
}

async function runOnStreams(content: KubeletContent, target: Target, upgrade: Upgrade): Promise<void> {
  const { route, query } = target;
  const { pod, container } = containerOf(content, target);
  const asked = (name: string): boolean => query.get(name) === "1";
  const tty = asked("tty");
  const options = { stdin: asked("input"), stdout: asked("output"), stderr: asked("error") && !tty, tty };
  if (!options.stdin && !options.stdout && !options.stderr) {
    throw new KubeletError(400, "you must specify at least 1 of stdin, stdout, stderr");
  }
  const streams = await openCommandStreams(upgrade, { ...options, webSocketV5: content.webSocketV5 });
  if (streams === undefined) {
    return;
  }
  const place = { namespace: pod.namespace, pod: pod.name, container: container.name };
  const { exec, attach } = container.script;
  await (route === "exec"
    ? runCommand(streams, {
        place,
        tty,
        failure: "error executing command in container",
        run: (io) => (exec ?? noExec)(query.getAll("command"), io),
      })
    : runCommand(streams, {
        place,
        tty,
        failure: "error attaching to container",
        run: (io) =>
          attach === undefined ? pipeline(container.log.follow(io.signal), io.stdout, { end: false }) : attach(io),
      }));
}

function noExec(): never {
  throw new Error("the script of the pod has no exec");
}

/** Answers `/run`: the output of a command, without streams. */
async function sendRun(content: KubeletContent, target: Target, response: ServerResponse): Promise<void> {
  const { pod, container } = containerOf(content, target);
  const output: Buffer[] = [];
  const collect = new Writable({
    write(data: Buffer, _encoding, written) {
      output.push(data);
      written();
    },
  });
  const abort = new AbortController();
  response.once("close", () => abort.abort());
  const exitCode = await (container.script.exec ?? noExec)((target.query.get("cmd") ?? "").split(" "), {
    namespace: pod.namespace,
    pod: pod.name,
    container: container.name,
    stdin: Readable.from([]),
    stdout: collect,
    stderr: collect,
    tty: false,
    sizes: (async function* () {})(),
    signal: abort.signal,
  });
  if (typeof exitCode === "number" && exitCode !== 0) {
    throw new KubeletError(
      500,
      `command '${target.query.get("cmd")}' exited with ${exitCode}: ${Buffer.concat(output)}`,
    );
  }
  response.writeHead(200, { "content-type": "application/json" }).end(Buffer.concat(output));
}

function sendPage({ nodeName, pages, pods }: KubeletContent, { path }: Target, response: ServerResponse): void {
  if (Object.hasOwn(pages, path)) {
    const page = pages[path];
    const isText = typeof page === "string";
    sendBody(response, isText ? "text/plain; charset=utf-8" : "application/json", isText ? page : JSON.stringify(page));
  } else if (path === "/healthz") {
    sendBody(response, "text/plain; charset=utf-8", "ok");
  } else if (path === "/pods" || path === "/runningpods/") {
    const list = { kind: "PodList", apiVersion: "v1", metadata: {}, items: pods().map(({ object }) => object) };
    sendBody(response, "application/json", JSON.stringify(list));
  } else {
    throw new KubeletError(404, `node ${nodeName} has no page ${path}`);
  }
}

/** Sends a whole body. `setHeader` of an HTTP/2 answer returns nothing, so calls are not chained. */
function sendBody(response: ServerResponse, contentType: string, body: string): void {
  response.setHeader("content-type", contentType);
  response.end(body);
}
