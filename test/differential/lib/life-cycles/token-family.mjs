// Tokens of service accounts that are bound to objects, and whether they are good after these are gone.
import { kindOf } from "./kinds.mjs";
import { anyStep, create, pause, send } from "./steps.mjs";
import { subjectOf } from "./subjects.mjs";

/** Draws the subjects and the steps of a sequence. */
export function tokenSteps(r, namespace) {
  const account = subjectOf(kindOf("ServiceAccount"), { key: "a", base: "a", namespace });
  const bound = ["Pod", "Secret"].map((kind) =>
    subjectOf(kindOf(kind), { key: kind.toLowerCase(), base: "b", namespace }),
  );
  const subjects = [account, ...bound];
  const steps = [
    ...subjects.flatMap((subject) => create(r, subject, [])),
    ...token(r, account, bound, "first"),
    ...token(r, account, bound, "second"),
    ...Array.from({ length: 1 + r.int(4) }, () => anyStep(r, r.pick(subjects), subjects)).flat(),
    ...(r.chance(0.5) ? [send("DELETE", r.pick(subjects).path)] : []),
    ...(r.chance(0.3) ? create(r, r.pick(subjects), []) : []),
    pause,
    ...["first", "second"].map((name) =>
      send("POST", "/apis/authentication.k8s.io/v1/tokenreviews", {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenReview",
        spec: { token: `$${name}` },
      }),
    ),
  ];
  return { subjects, steps };
}

function token(r, { path }, bound, saved) {
  const { kind, key, name } = r.pick(bound);
  const uid = r.pick([`$${key}uid`, `$${key}uid`, undefined, "00000000-0000-0000-0000-000000000000"]);
  const reference = { apiVersion: "v1", kind: kind.kind, name: r.chance(0.9) ? name : "absent", ...(uid && { uid }) };
  const body = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds: r.pick([600, 3600, 10]), ...(r.chance(0.75) && { boundObjectRef: reference }) },
  };
  return [{ ...send("POST", `${path}/token`, body), save: { [saved]: "status.token" } }];
}
