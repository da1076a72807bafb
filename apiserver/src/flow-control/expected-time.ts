/** The time in milliseconds that a request is expected to take before it is known. */
export const expectedMs = 3;
