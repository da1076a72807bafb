/** The verdict of one hook, policy or definition on a stored object. */
export interface ScanResult {
  readonly resource: { apiVersion: string; kind: string; namespace?: string; name: string; uid: string };
  /** Name of the hook, policy or definition. */
  readonly policy: string;
  /** `skip`: the hook or policy is about the object, and has not decided, as the message says. */
  readonly result: "fail" | "warn" | "error" | "pass" | "skip";
  readonly message: string;
}
