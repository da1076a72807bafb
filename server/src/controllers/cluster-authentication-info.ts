import type { Controller, ControllerOptions } from "@gatehouse/apiserver/client";
import { certificatesOf } from "@gatehouse/component-base/tls";
import { keepConfigMap } from "./kept-config-map.js";

/** The trust that other API servers of the cluster place in clients and front proxies. */
export interface ClusterAuthenticationInfo {
  /** Returns the current authorities of client certificates, as PEM. */
  readonly clientAuthorities: () => string;
  /** Returns the current authorities of front proxies, as PEM. */
  readonly proxyAuthorities: () => string;
  /** The names and headers of front proxies; undefined where none are trusted. */
  readonly requestHeader:
    | {
        readonly allowedNames: readonly string[];
        readonly usernameHeaders: readonly string[];
        readonly groupHeaders: readonly string[];
        readonly extraHeaderPrefixes: readonly string[];
      }
    | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
}

/** Interval in milliseconds between checks for replaced authorities: that of looks at their files. */
const lookAgainMs = 10_000;
/** Milliseconds that an expired authority is kept, since the clocks of other servers may be behind. */
const slackMs = 5 * 60_000;

/**
 * Keeps `extension-apiserver-authentication`, where other API servers read whom to trust. Several servers may write to
 * it: their authorities stay until they expire.
 */
export function clusterAuthenticationInfo(options: ControllerOptions & ClusterAuthenticationInfo): Controller {
  return {
    name: "cluster-authentication-info-controller",
    run: (signal) =>
      keepConfigMap({
        ...options,
        signal,
        name: "extension-apiserver-authentication",
        everyMs: lookAgainMs,
        dataFor(data) {
          const wanted = withAuthenticationInfo(data, options);
          const isSame =
            Object.keys(data).length === Object.keys(wanted).length &&
            Object.entries(wanted).every(([key, value]) => data[key] === value);
          return isSame ? data : wanted;
        },
      }),
  };
}

function withAuthenticationInfo(
  data: Readonly<Record<string, string>>,
  { clientAuthorities, proxyAuthorities, requestHeader, now }: ClusterAuthenticationInfo,
): Readonly<Record<string, string>> {
  const authorities = (key: string, own: string): string => unionOfAuthorities(data[key] ?? "", own, now());
  const clients = authorities("client-ca-file", clientAuthorities());
  const proxies = authorities("requestheader-client-ca-file", proxyAuthorities());
  const list = (key: string, own: readonly string[] = []): string =>
    JSON.stringify([...new Set([...listOf(data[key]), ...own])]);
  return {
    ...(clients === "" ? {} : { "client-ca-file": clients }),
    ...(proxies === ""
      ? {}
      : {
          "requestheader-allowed-names": list("requestheader-allowed-names", requestHeader?.allowedNames),
          "requestheader-client-ca-file": proxies,
          "requestheader-extra-headers-prefix": list(
            "requestheader-extra-headers-prefix",
            requestHeader?.extraHeaderPrefixes,
          ),
          "requestheader-group-headers": list("requestheader-group-headers", requestHeader?.groupHeaders),
          "requestheader-username-headers": list("requestheader-username-headers", requestHeader?.usernameHeaders),
        }),
  };
}

function unionOfAuthorities(stored: string, own: string, now: number): string {
  const byFingerprint = new Map<string, string>();
  for (const certificate of [...certificatesOf(stored), ...certificatesOf(own)]) {
    if (Date.parse(certificate.validTo) > now - slackMs) {
      byFingerprint.set(certificate.fingerprint256, certificate.toString());
    }
  }
  return [...byFingerprint.values()].map((pem) => `${pem.trim()}\n`).join("");
}

/** Parses a list of strings that others may have written; empty for anything else. */
function listOf(text: string | undefined): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : [];
  } catch {
    return [];
  }
}
