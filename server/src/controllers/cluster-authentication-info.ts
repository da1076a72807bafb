import type { Controller, ControllerOptions } from "@gatehouse/apiserver/client";
import { certificatesOf } from "@gatehouse/component-base";
import { keepConfigMap } from "./kept-config-map.js";

/** What other API servers of the cluster believe clients and front proxies by. */
export interface ClusterAuthenticationInfo {
  /** Authorities of client certificates as they are now, as PEM. */
  readonly clientAuthorities: () => string;
  /** Those of front proxies. */
  readonly proxyAuthorities: () => string;
  /** Undefined where no front proxies are believed. */
  readonly requestHeader:
    | {
        readonly allowedNames: readonly string[];
        readonly usernameHeaders: readonly string[];
        readonly groupHeaders: readonly string[];
        readonly extraHeaderPrefixes: readonly string[];
      }
    | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Authorities are replaced in their files. */
const lookAgainMs = 60_000;
/** What ended a moment ago may still be what some clock calls valid. */
const slackMs = 5 * 60_000;

/**
 * Keeps `extension-apiserver-authentication`, where other API servers read whom to believe. Several servers may write to
 * it: what one of them has put there stays, but for authorities that have ended.
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

/** What others have written may be anything. */
function listOf(text: string | undefined): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : [];
  } catch {
    return [];
  }
}
