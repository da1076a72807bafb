// Certificate requests: approvals, denials, failures and certificates.
import { certificate } from "../certificate-requests.mjs";
import { kindOf } from "./kinds.mjs";
import { anyStep, create, read, send } from "./steps.mjs";
import { subjectOf } from "./subjects.mjs";

/** Draws the subjects and the steps of a sequence. */
export function requestSteps(r, base) {
  const subject = subjectOf(kindOf("CertificateSigningRequest"), { key: "c", base });
  const step = () =>
    r.pick([
      () => conditions(r, subject),
      () => conditions(r, subject),
      () => issue(r, subject),
      () => anyStep(r, subject, []),
    ])();
  return {
    subjects: [subject],
    steps: [...create(r, subject, []), ...Array.from({ length: 3 + r.int(8) }, step).flat()],
  };
}

/** Writes conditions to one of the subresources: all of them, or some besides those that are there. */
function conditions(r, subject) {
  const { key, path } = subject;
  const chosen = r.some(["Approved", "Denied", "Failed", "Other"], 0.35).map((type) => ({
    type,
    status: r.pick(["True", "True", "True", "False"]),
    ...(r.chance(0.6) && { reason: r.pick(["R", "S"]), message: "m" }),
    ...(r.chance(0.2) && { lastUpdateTime: "2024-01-01T00:00:00Z" }),
  }));
  const subresource = r.pick(["approval", "approval", "status", ""]);
  const target = subresource === "" ? path : `${path}/${subresource}`;
  if (r.chance(0.4)) return [send("PATCH", target, { status: { conditions: chosen } }, r.pick(["merge", "strategic"]))];
  const isAdded = r.chance(0.6);
  const body = ({ [`${key}live`]: live }) => {
    const before = isAdded ? (live?.status?.conditions ?? []) : [];
    return { ...live, status: { ...live?.status, conditions: [...before, ...chosen] } };
  };
  return [read(subject), send("PUT", target, body)];
}

function issue(r, { path }) {
  const text = r.pick([certificate, certificate, "AAAA", null]);
  return [
    send("PATCH", `${path}/${r.pick(["status", "status", "approval"])}`, { status: { certificate: text } }, "merge"),
  ];
}
