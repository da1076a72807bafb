// Tokens that a webhook knows, and what it answers, drawn at random. Compared are the answers to the client, who asked in the audit
// log, and every call of the webhooks for tokens and for access. Both servers are those of start-with-identity-webhooks.mjs.
// COUNT is the number of tokens, REQUESTS that of requests with each, SEED which.
import { drawAnswers } from "../lib/identity-webhooks/answers.mjs";
import { drawnCases, view } from "../lib/identity-webhooks/hooks.mjs";
import { accessStatuses, tokenStatuses } from "../lib/identity-webhooks/statuses.mjs";

export const parallel = 16;

/** Cases for a runner of differential areas. */
export const cases = (...sides) => drawnCases(sides, { salt: 800_011, count: 300, requests: 3 }, caseOf);

const authentication = "/apis/authentication.k8s.io";

function caseOf(r, { name, key, length }) {
  const token = `${key}${r.pick(["", "", ".b-c_d~e+f/g==", "é", " two", "%41", '"', "y".repeat(4000)])}`;
  let answers = drawn(r);
  const steps = Array.from({ length }, (_, nth) => {
    if (nth > 0 && r.chance(0.5)) answers = drawn(r);
    return { ...drawRequest(r, key, token), key, answers, view };
  });
  return { name: `token ${name}`, independent: true, steps };
}

function drawn(r) {
  return { tokens: drawAnswers(r, tokenStatuses), ...(r.chance(0.1) && { access: drawAnswers(r, accessStatuses) }) };
}

function drawRequest(r, key, token) {
  // A header is bytes to Node, of which each is a character.
  const headers = { authorization: `Bearer ${Buffer.from(token).toString("latin1")}` };
  const whoAmI = {
    method: "POST",
    path: `${authentication}/v1/selfsubjectreviews`,
    body: { kind: "SelfSubjectReview", apiVersion: "authentication.k8s.io/v1" },
  };
  const roll = r.int(21);
  if (roll < 7) return { ...whoAmI, as: "none", headers };
  if (roll < 11) return { method: r.pick(["GET", "POST"]), path: `/odd/${key}`, as: "none", headers };
  if (roll < 17) return reviewOf(r, token);
  if (roll < 18) return { ...whoAmI, headers };
  if (roll < 19) return { ...whoAmI, as: "none", headers: { ...headers, "impersonate-user": `other-${key}` } };
  if (roll < 20) {
    const others = [
      {},
      { authorization: `bearer ${token.slice(0, 20)}` },
      { authorization: "Basic YTpi" },
      { authorization: "Bearer " },
    ];
    return { ...whoAmI, as: "none", headers: r.pick(others) };
  }
  const protocols = `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString("base64url")}, b`;
  const upgrade = { connection: "upgrade", upgrade: "websocket", "sec-websocket-protocol": protocols };
  return { method: "GET", path: `/odd/${key}`, as: "none", headers: upgrade };
}

function reviewOf(r, token) {
  const audiences = r.pick([
    undefined,
    undefined,
    [],
    ["api"],
    ["other"],
    ["other", "api"],
    ["https://kubernetes.default.svc", "api"],
    [""],
  ]);
  const body = { kind: "TokenReview", apiVersion: "authentication.k8s.io/v1", spec: { token, audiences } };
  return { method: "POST", path: `${authentication}/v1/tokenreviews`, body };
}
