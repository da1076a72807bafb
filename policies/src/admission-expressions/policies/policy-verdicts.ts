import { encodeJson } from "@gatehouse/envelopes/codec";
import { StatusError } from "@gatehouse/envelopes/status";
import type { AnnotationResult, PolicyDecision } from "./evaluate-policy.js";
import type { Policy } from "./policy.js";
import type { PolicyBinding } from "./policy-binding.js";
import type { EnforcementAction, PolicyDispatch, PolicyWrite } from "./policy-dispatch.js";

/** The longest value of an audit annotation; the rest is cut off. */
const maxAnnotationBytes = 10 * 1024;

/** HTTP codes of the reasons that a validation may have. */
const codes: ReadonlyMap<string, number> = new Map([
  ["Forbidden", 403],
  ["Unauthorized", 401],
  ["RequestEntityTooLarge", 413],
]);

type VerdictDispatch<W extends PolicyWrite> = Pick<PolicyDispatch<W>, "observer" | "refusal">;

/** The consequences of the decisions of all policies about one write. */
export class PolicyVerdicts<W extends PolicyWrite> {
  readonly #attributes: W;
  readonly #dispatch: VerdictDispatch<W>;
  /** The first denial, which decides what the client is told. */
  #denial: { readonly message: string; readonly reason: string } | undefined;

  constructor(attributes: W, dispatch: VerdictDispatch<W>) {
    this.#attributes = attributes;
    this.#dispatch = dispatch;
  }

  /** Takes a policy, or a binding of it, that cannot be put to work: the failure policy decides. */
  misconfigured({ name, ignoresFailure }: Policy, binding: PolicyBinding | undefined, problem: string): void {
    if (!ignoresFailure) {
      const what = binding === undefined ? "policy" : "binding";
      this.#deny(name, binding?.name, `failed to configure ${what}: ${problem}`);
    }
  }

  /** Takes the decisions of a policy: denies, warns and notes in the audit event as its binding says. */
  decided({ name }: Policy, binding: PolicyBinding, decisions: readonly PolicyDecision[], seconds: number): void {
    for (let index = 0; index < decisions.length; index++) {
      const decision = decisions[index] as PolicyDecision;
      if (decision.action === "admit" && !decision.failed) {
        continue;
      }
      for (const action of this.#consequences(name, binding, decision, index)) {
        this.#dispatch.observer?.decided({ policy: name, binding: binding.name, action, seconds });
      }
    }
  }

  *#consequences(
    policy: string,
    binding: PolicyBinding,
    decision: PolicyDecision,
    index: number,
  ): Generator<EnforcementAction> {
    if (decision.action === "admit") {
      yield "allow";
      return;
    }
    for (const action of binding.actions) {
      switch (action) {
        case "Deny":
          this.#deny(policy, binding.name, decision.message, decision.reason);
          yield "deny";
          break;
        case "Audit":
          this.#noteFailure(binding, index, decision.message);
          yield "audit";
          break;
        case "Warn":
          this.#attributes.warn(
            `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding.name}': ${decision.message}`,
          );
          yield "warn";
      }
    }
  }

  /** Adds audit annotations of a policy to those that its other bindings have made. One that has failed denies the write. */
  annotated(
    { name }: Policy,
    binding: PolicyBinding,
    annotations: readonly AnnotationResult[],
    collected: AnnotationValues,
    seconds: number,
  ): void {
    for (const annotation of annotations) {
      if (annotation.error === undefined) {
        collected.add(annotation.key, shortened(annotation.value));
      } else {
        this.#deny(name, binding.name, annotation.error);
        this.#dispatch.observer?.decided({ policy: name, binding: binding.name, action: "deny", seconds });
      }
    }
  }

  /** Throws the first denial. */
  conclude(): void {
    if (this.#denial !== undefined) {
      const { message, reason } = this.#denial;
      const { status } = this.#dispatch.refusal(this.#attributes, message);
      const details = { ...status.details, causes: [{ message }] };
      throw new StatusError(codes.get(reason) ?? 422, reason, status.message ?? "", details);
    }
  }

  #deny(policy: string, binding: string | undefined, detail: string, reason = "Invalid"): void {
    const by = binding === undefined ? "" : ` with binding '${binding}'`;
    this.#denial ??= { message: `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${detail}`, reason };
  }

  #noteFailure({ name, policyName, actions }: PolicyBinding, expressionIndex: number, message: string): void {
    const failure = { message, policy: policyName, binding: name, expressionIndex, validationActions: [...actions] };
    this.#attributes.annotate("validation.policy.admission.k8s.io/validation_failure", encodeJson([failure]));
  }
}

/** The values of the audit annotations of one policy, by key: bindings and parameters may add several to one. */
export class AnnotationValues {
  readonly #values = new Map<string, Set<string>>();

  add(key: string, value: string): void {
    const values = this.#values.get(key);
    if (values === undefined) {
      this.#values.set(key, new Set([value]));
    } else {
      values.add(value);
    }
  }

  publish(policy: string, attributes: PolicyWrite): void {
    for (const [key, values] of this.#values) {
      attributes.annotate(`${policy}/${key}`, [...values].join(", "));
    }
  }
}

function shortened(value: string): string {
  const bytes = Buffer.from(value);
  return bytes.length > maxAnnotationBytes ? bytes.subarray(0, maxAnnotationBytes).toString() : value;
}
