import { answerFields, plainOffer, sendAnswer } from "@gatehouse/apiserver/http";
import type { RequestContext } from "@gatehouse/apiserver/request";
import {
  authorityOf,
  type Backend,
  type BackendAnswer,
  relayAnswer,
  relayMessages,
  valuesOf,
} from "@gatehouse/apiserver/reverse-proxy";
import { representationFor, type VerbHandler } from "@gatehouse/apiserver/verbs";
import { HttpClientError } from "@gatehouse/component-base/errors";
import { goCallError } from "@gatehouse/component-base/http-client";
import { goQuote } from "@gatehouse/envelopes/go";
import { textAt } from "@gatehouse/envelopes/json";
import type { MaybePromise } from "@gatehouse/envelopes/scheduling";
import { badRequest, genericServerResponse, internalError, StatusError } from "@gatehouse/envelopes/status";
import type { NodeCalls } from "../../../kubelet-client/node-calls.js";
import { readNamed } from "../read-named.js";
import { containerOf } from "./container-of.js";
import { kubeletOfPod } from "./kubelet-of-pod.js";
import { parseLogOptions } from "./log-options.js";

/**
 * Returns the handler for GET of a pod's /log: the log of a container as its kubelet sends it, piece by piece, in messages to
 * a client that asks for a WebSocket; 204 while the pod is on no node and so has no log.
 */
export function getLog(calls: NodeCalls): VerbHandler {
  return async ({ context, served, environment }) => {
    representationFor(context, plainOffer);
    const { container, insecureSkipTlsVerify, query } = parseLogOptions(context);
    calls.logMetrics.asked(insecureSkipTlsVerify);
    const { name, namespace } = context.info;
    const pod = await readNamed(served, namespace, name);
    const wanted = containerOf(pod, container);
    if (textAt(pod, "spec", "nodeName") === "") {
      sendAnswer(context, 204, {});
      return;
    }
    const backend = await kubeletOfPod(calls, served, pod);
    const target = `/containerLogs/${namespace}/${name}/${wanted}${query === "" ? "" : `?${query}`}`;
    const ended = environment.metrics.longRunningStarted(context);
    try {
      const answer = await askKubelet(calls, context, { backend, target, insecureSkipTlsVerify });
      await checkAnswer(answer, name);
      const { exchange } = context;
      await exchange.mayBegin(exchange.asksForWebSocket ? 101 : 200);
      await relayLog(context, answer);
    } finally {
      ended();
    }
  };
}

function relayLog(context: RequestContext, answer: BackendAnswer): MaybePromise<void> {
  if (context.exchange.asksForWebSocket) {
    return relayMessages(context.exchange, answer.content);
  }
  const log = { ...answer, status: 200, fields: ["Content-Type", "text/plain"] };
  return relayAnswer(context.exchange, log, answerFields(context));
}

async function askKubelet(
  { transports, logMetrics }: NodeCalls,
  context: RequestContext,
  call: { readonly backend: Backend; readonly target: string; readonly insecureSkipTlsVerify: boolean },
): Promise<BackendAnswer> {
  const { backend, target, insecureSkipTlsVerify } = call;
  const transport = insecureSkipTlsVerify ? transports.insecureKubelet : transports.kubelet;
  try {
    return await transport.send(backend, {
      method: "GET",
      target,
      fields: ["Host", authorityOf(backend)],
      recipient: context.exchange,
    });
  } catch (error) {
    if (!(error instanceof HttpClientError)) {
      throw error;
    }
    const text = goCallError("GET", `https://${authorityOf(backend)}${target}`, error);
    if (text.includes("x509:")) {
      logMetrics.certificateRefused();
    }
    throw new StatusError(500, "", text, undefined, { cause: error });
  }
}

/** Bytes of a kubelet's error that the client is told, as in v1.29. */
const maxErrorBytes = 50_000;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Rejects with the error of a kubelet that has answered with one, or with a redirect. */
async function checkAnswer({ status, fields, content }: BackendAnswer, name: string): Promise<void> {
  if (status >= 200 && status <= 206) {
    return;
  }
  const [location] = valuesOf(fields, "location");
  if (redirects.has(status) && location !== undefined) {
    content.destroy();
    throw new StatusError(500, "", `Get ${goQuote(location)}: redirects forbidden`);
  }
  const text = await beginningOf(content.body);
  if (status === 500) {
    throw internalError(text);
  }
  throw status === 400
    ? badRequest(text)
    : genericServerResponse({ code: status, text }, { group: "", resource: "pods/log" }, name);
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      length += piece.length;
      if (length >= maxErrorBytes) {
        break;
      }
    }
  } catch (error) {
    throw internalError("unexpected EOF", error);
  }
  return Buffer.concat(pieces).subarray(0, maxErrorBytes).toString();
}
