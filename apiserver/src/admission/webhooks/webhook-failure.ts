import { type Status, StatusError } from "@gatehouse/envelopes";

/** A call that came to nothing, or an answer that is none: what `failurePolicy` is about. */
export class WebhookFailure extends Error {
  override readonly name = "WebhookFailure";
  /** For metrics: what the webhook's server has answered, or what v1.29 counts instead. */
  readonly code: number;
  /** Nobody has waited for the answer any more: this says nothing of the webhook. */
  readonly wasAborted: boolean;

  constructor(
    webhook: string,
    reason: string,
    code: number,
    options: ErrorOptions & { readonly wasAborted?: boolean } = {},
  ) {
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${reason}`, options);
    this.code = code;
    this.wasAborted = options.wasAborted ?? false;
  }
}

/** A webhook has said no. */
export class WebhookDenial extends StatusError {
  override readonly status: Status;

  /** `metadata` is that of the Status that the webhook has sent. */
  constructor(code: number, reason: string, message: string, sent: Partial<Pick<Status, "details" | "metadata">>) {
    super(code, reason, message, sent.details);
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: sent.metadata ?? {},
      status: "Failure",
      message,
      ...(reason === "" ? {} : { reason }),
      ...(sent.details === undefined ? {} : { details: sent.details }),
      code,
    };
  }
}
