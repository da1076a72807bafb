import type { Grpc } from "@gatehouse/component-base/grpc";

/** Methods of both versions of the protocol. */
export type KmsMethod = "Status" | "Version" | "Encrypt" | "Decrypt";

/**
 * A way to fail: an answer with a gRPC status by its name in grpc-js (`UNAVAILABLE`), or no answer, so that callers meet
 * their deadline.
 */
export type KmsFailure = keyof Grpc["status"] | "silence";

/** The failures that a plugin has been told to show. */
export class KmsFailures {
  readonly #byMethod = new Map<KmsMethod, KmsFailure>();

  set(failure: KmsFailure, methods: readonly KmsMethod[]): void {
    for (const method of methods) {
      this.#byMethod.set(method, failure);
    }
  }

  clear(): void {
    this.#byMethod.clear();
  }

  of(method: KmsMethod): KmsFailure | undefined {
    return this.#byMethod.get(method);
  }
}
