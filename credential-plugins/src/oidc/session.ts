/** The cached state of a login beside its token. */
export interface Session {
  readonly refreshToken?: string | undefined;
  /** Subject of the login, as the provider names it. */
  readonly subject?: string;
}

/** Reads what was kept; what it cannot make out is left out. */
export function parseSession(kept: unknown): Session {
  const { refreshToken, subject } = Object.assign({ refreshToken: undefined, subject: undefined }, kept);
  return {
    ...(typeof refreshToken === "string" ? { refreshToken } : {}),
    ...(typeof subject === "string" ? { subject } : {}),
  };
}
