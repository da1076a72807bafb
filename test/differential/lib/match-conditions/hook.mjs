// The webhook of the area `match-conditions`: its answers tell who was called. A response has a warning and an audit
// annotation for each webhook that was called, an object the names of those that may change it, in their order.
import { startWebhook } from "../start-webhook.mjs";

/** Returns the answer to a review at a path: `/NAME`, of which one that begins with `m` changes, with `deny` refuses. */
export function answerReview({ apiVersion, kind, request }, path) {
  const name = path.slice(1).split("?")[0];
  const response = {
    uid: request.uid,
    allowed: true,
    warnings: [`called ${name}`],
    auditAnnotations: { called: name },
  };
  if (name.startsWith("deny")) {
    response.allowed = false;
    response.status = { message: `${name} refuses`, code: 403, reason: "Forbidden" };
  }
  if (name.startsWith("m") && request.object) {
    const { annotations = {} } = request.object.metadata;
    const value = { ...annotations, calls: `${annotations.calls ?? ""}${name} ` };
    const patch = [{ op: "add", path: "/metadata/annotations", value }];
    response.patchType = "JSONPatch";
    response.patch = Buffer.from(JSON.stringify(patch)).toString("base64");
  }
  return { apiVersion, kind, response };
}

/** Starts the webhook. */
export function startHook() {
  return startWebhook(answerReview);
}
