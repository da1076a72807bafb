/** The reasons that a policy may give for a denial. */
export type ValidationReason = "Unauthorized" | "Forbidden" | "Invalid" | "RequestEntityTooLarge";

/** The reason and HTTP code of a denial, by its reason. */
export const validationAnswers: Readonly<
  Record<ValidationReason, { readonly reason: ValidationReason; readonly code: number }>
> = {
  Unauthorized: { reason: "Unauthorized", code: 401 },
  Forbidden: { reason: "Forbidden", code: 403 },
  RequestEntityTooLarge: { reason: "RequestEntityTooLarge", code: 413 },
  Invalid: { reason: "Invalid", code: 422 },
};
