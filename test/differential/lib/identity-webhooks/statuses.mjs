// Statuses of reviews of tokens, access and images drawn at random: `usual` is one that lets pass, `draw` makes one of the right
// types, and `misshapen` one that may have others.
import { oddTexts } from "./odd-texts.mjs";

const maybe = (r, name, drawn, chance = 0.5) => (r.chance(chance) ? { [name]: drawn(r) } : {});
const text = (r) => (r.chance(0.5) ? r.pick(["because", "no", "ann"]) : r.pick(oddTexts));
const flag = (r) => r.chance(0.6);
const oddValues = ["yes", "true", 1, 0, null, [], {}, [null], [5], ["a"], { a: "b" }, { a: null }, 1.5, 1e30];

/** Replaces one of the members, or adds one, by a value of any type. */
const misshape = (draw, members) => (r) => ({ ...draw(r), [r.pick(members)]: r.pick(oddValues) });

const groups = [
  "dev",
  "",
  "a b",
  "é",
  "system:authenticated",
  "system:unauthenticated",
  "system:masters",
  "dev",
  "a,b",
];
const extraKeys = [
  "k",
  "K",
  "a/b",
  "example.org/é",
  "",
  "a b",
  "authentication.kubernetes.io/pod-name",
  "__proto__x",
  "constructor",
];
const audiences = ["api", "https://kubernetes.default.svc", "other", "", "API"];

function list(r, items) {
  return r.chance(0.1) ? r.pick([null, []]) : Array.from({ length: 1 + r.int(3) }, () => r.pick(items));
}

function drawExtra(r) {
  const keys = Array.from({ length: r.int(4) }, () => r.pick(extraKeys));
  return Object.fromEntries(keys.map((key) => [key, list(r, ["1", "", "é", "a b"]) ?? []]));
}

function drawUser(r) {
  return {
    ...maybe(r, "username", text, 0.9),
    ...maybe(r, "uid", text),
    ...maybe(r, "groups", (s) => list(s, groups), 0.6),
    ...maybe(r, "extra", drawExtra, 0.4),
  };
}

function drawTokenStatus(r) {
  return {
    ...maybe(r, "authenticated", (s) => s.chance(0.8), 0.9),
    ...maybe(r, "user", drawUser, 0.9),
    ...maybe(r, "audiences", (s) => list(s, audiences), 0.35),
    ...maybe(r, "error", text, 0.25),
  };
}

function misshapenTokenStatus(r) {
  if (r.chance(0.4)) return misshape(drawTokenStatus, ["authenticated", "user", "audiences", "error"])(r);
  return { ...drawTokenStatus(r), user: misshape(drawUser, ["username", "uid", "groups", "extra"])(r) };
}

export const tokenStatuses = {
  usual: { authenticated: true, user: { username: "ann", uid: "7", groups: ["dev"] } },
  draw: drawTokenStatus,
  misshapen: (r) => (r.chance(0.1) ? r.pick(oddValues) : misshapenTokenStatus(r)),
};

function drawAccessStatus(r) {
  return {
    ...maybe(r, "allowed", flag, 0.9),
    ...maybe(r, "denied", (s) => s.chance(0.5), 0.4),
    ...maybe(r, "reason", text, 0.6),
    ...maybe(r, "evaluationError", text, 0.3),
  };
}

const accessMembers = ["allowed", "denied", "reason", "evaluationError"];

export const accessStatuses = {
  usual: { allowed: true },
  draw: drawAccessStatus,
  misshapen: (r) => (r.chance(0.1) ? r.pick(oddValues) : misshape(drawAccessStatus, accessMembers)(r)),
};

const annotationKeys = ["rule", "k", "failed-open", "a b", "é", "", "a/b", "A_b.c", "-x", "x".repeat(64)];

function drawImageStatus(r) {
  const annotations = (s) =>
    Object.fromEntries(Array.from({ length: s.int(4) }, () => [s.pick(annotationKeys), text(s)]));
  return {
    ...maybe(r, "allowed", flag, 0.9),
    ...maybe(r, "reason", text, 0.6),
    ...maybe(r, "auditAnnotations", annotations, 0.5),
  };
}

export const imageStatuses = {
  usual: { allowed: true },
  draw: drawImageStatus,
  misshapen: (r) =>
    r.chance(0.1) ? r.pick(oddValues) : misshape(drawImageStatus, ["allowed", "reason", "auditAnnotations"])(r),
};
