import { type AdmissionDecision, allow } from "../decision/decision.js";
import type { AdmissionRequest } from "./admission-request.js";
import type { Handler, HandlerContext } from "./handler.js";

type MaybePromise<T> = T | Promise<T>;

/** The request of one operation, with objects of type `T`. */
export type RequestOf<T, O extends AdmissionRequest["operation"]> = Extract<
  AdmissionRequest<T>,
  { readonly operation: O }
>;

/** Decides on objects that are created, and on objects as they would be after an update. */
export type Check<T> = (
  object: T,
  request: RequestOf<T, "CREATE" | "UPDATE">,
  context: HandlerContext,
) => MaybePromise<AdmissionDecision>;

/** Checks by operation; an operation without a check is allowed. */
export interface ChecksByOperation<T> {
  create?(object: T, request: RequestOf<T, "CREATE">, context: HandlerContext): MaybePromise<AdmissionDecision>;
  update?(
    object: T,
    oldObject: T,
    request: RequestOf<T, "UPDATE">,
    context: HandlerContext,
  ): MaybePromise<AdmissionDecision>;
  delete?(oldObject: T, request: RequestOf<T, "DELETE">, context: HandlerContext): MaybePromise<AdmissionDecision>;
  /** Decides on a connection by its `options`: PodExecOptions and others. */
  connect?(options: T, request: RequestOf<T, "CONNECT">, context: HandlerContext): MaybePromise<AdmissionDecision>;
}

/**
 * Returns a handler that decides on objects of type `T`, by one function for created and updated objects, or by one for
 * each operation. Operations without a function are allowed.
 *
 * @example
 * const noLatest = validator<coreV1.Pod>((pod) =>
 *   pod.spec?.containers.some(({ image }) => image?.endsWith(":latest")) ? deny("say which version") : allow(),
 * );
 */
export function validator<T>(check: Check<T> | ChecksByOperation<T>): Handler {
  if (typeof check === "function") {
    return validator<T>({
      create: (object, request, context) => check(object, request, context),
      update: (object, _oldObject, request, context) => check(object, request, context),
    });
  }
  const checks = check;
  return (untyped, context) => {
    const request = untyped as unknown as AdmissionRequest<T>;
    switch (request.operation) {
      case "CREATE":
        return checks.create?.(request.object, request, context) ?? allow();
      case "UPDATE":
        return checks.update?.(request.object, request.oldObject, request, context) ?? allow();
      case "DELETE":
        return checks.delete?.(request.oldObject, request, context) ?? allow();
      case "CONNECT":
        return checks.connect?.(request.object, request, context) ?? allow();
    }
  };
}
