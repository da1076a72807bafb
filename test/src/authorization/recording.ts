import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Answered, Play } from "./play.js";

/** Content of the recording. */
export interface Recording {
  readonly play: Play;
  readonly attempt: readonly Answered[];
  readonly guarded: readonly Answered[];
}

/** Path of the recorded answers of v1.29. */
export const recordingFile: string = fileURLToPath(new URL("../../src/authorization/recorded.json", import.meta.url));

/** Reads the recorded answers of v1.29. */
export function readRecording(): Recording {
  return JSON.parse(readFileSync(recordingFile, "utf8")) as Recording;
}

/** Answer of the API server to a review: the review itself, or a Status. */
export interface AccessReviewAnswer {
  readonly metadata?: { readonly managedFields?: unknown };
  readonly message?: string;
  readonly reason?: string;
  readonly details?: unknown;
}

/** A review of access that the administrator has asked v1.29 for, most of them with a mistake. */
export interface RecordedAccessReview {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  readonly code: number;
  readonly answer: AccessReviewAnswer;
}

/** Reviews by `POST` under RBAC, with the answers of v1.29 without managed fields. */
export function readAccessReviews(): readonly RecordedAccessReview[] {
  const file = new URL("../../src/authorization/recorded-access-reviews.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as readonly RecordedAccessReview[];
}
