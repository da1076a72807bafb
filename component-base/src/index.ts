export type { Command, CommandIo } from "./commands/command.js";
export { CommandError } from "./commands/command-error.js";
export { type CommandForm, type CommandLine, parseArguments } from "./commands/parse-arguments.js";
export { processIo } from "./commands/process-io.js";
export {
  type CommandEntry,
  type CommandProgram,
  runCommands,
  runProgram,
  withWordsAsFlags,
} from "./commands/run-commands.js";
export { versionText } from "./commands/version-text.js";
export { checkConfigDocument } from "./config-documents/check-config-document.js";
export type { ConfigDocument } from "./config-documents/config-document.js";
export { type DocumentValidator, documentValidator } from "./config-documents/document-validator.js";
export { readConfigFile } from "./config-documents/read-config-file.js";
export type { CallTls } from "./credentials/call-tls.js";
export type {
  CallCredentials,
  ClientCredentials,
  ClientCredentialsOptions,
} from "./credentials/client-credentials.js";
export { openClientCredentials } from "./credentials/client-credentials.js";
export { type FollowedFiles, type FollowFilesOptions, followFiles } from "./files/follow-files.js";
export { DirectoryInUseError, lockDirectory } from "./files/lock-directory.js";
export { makeFolder, makeFolderSync } from "./files/make-folder.js";
export { type LineOutput, standardOutput } from "./files/standard-output.js";
export { syncDirectory } from "./files/sync-directory.js";
export { writeFileAtomic } from "./files/write-file-atomic.js";
export { closestName } from "./flags/closest-name.js";
export { defineFlags } from "./flags/define-flags.js";
export type {
  BoolFlag,
  DurationFlag,
  FlagCommon,
  FlagDefinition,
  FlagTable,
  FlagValue,
  FlagValues,
  FloatFlag,
  IntFlag,
  KeyValueFlag,
  PathFlag,
  StringFlag,
  StringListFlag,
} from "./flags/flag-definition.js";
export { formatHelp, type HelpOptions } from "./flags/flag-help.js";
export { formatGoDuration, parseGoDuration } from "./flags/go-duration.js";
export { type ParsedFlags, parseFlags } from "./flags/parse-flags.js";
export {
  answerHealth,
  type HealthAnswer,
  type HealthCheck,
  type HealthChecks,
  pingCheck,
} from "./health/answer-health.js";
export type { DialAddress } from "./http-client/dial.js";
export { goCallError, goErrorText } from "./http-client/go-error-text.js";
export {
  createHttpClient,
  type HttpCaller,
  type HttpClient,
  type HttpClientOptions,
} from "./http-client/http-client.js";
export { HttpClientError, type HttpClientFailure } from "./http-client/http-client-error.js";
export {
  createHttpClientPool,
  type HttpClientPool,
  type HttpClientPoolOptions,
} from "./http-client/http-client-pool.js";
export type { HttpRequest, HttpResponse, JsonRequest, JsonResponse } from "./http-client/http-request.js";
export { admitCaller, type CallerAdmission } from "./https-service/admit-caller.js";
export { type BearerTokenOptions, openBearerTokens } from "./https-service/bearer-tokens.js";
export {
  anyAuthenticator,
  anyCaller,
  type CallerAuthenticator,
  type CallerVerdict,
} from "./https-service/caller-authentication.js";
export { type ClientCertificateOptions, clientCertificates } from "./https-service/client-certificates.js";
export { ConcurrencyLimit, type ConcurrencyLimitOptions } from "./https-service/concurrency-limit.js";
export { type FramingFault, framingFault } from "./https-service/framing-fault.js";
export { healthRoutes } from "./https-service/health-routes.js";
export { metricsRoute } from "./https-service/metrics-route.js";
export type { Middleware } from "./https-service/middleware.js";
export { notFoundRoute } from "./https-service/not-found-route.js";
export { readBody } from "./https-service/read-body.js";
export { sendJson, sendStatus } from "./https-service/send-json.js";
export {
  type HttpsServiceOptions,
  type HttpsServiceParts,
  type RunningHttpsService,
  type ServiceTls,
  startHttpsService,
} from "./https-service/start-https-service.js";
export {
  type Claims,
  ClaimsError,
  cannotUnmarshal,
  goSeconds,
  knownClaim,
} from "./identity-tokens/go-claims.js";
export {
  type IdentityTokens,
  type IdentityTokensOptions,
  type IdentityTokenVerdict,
  openIdentityTokens,
} from "./identity-tokens/identity-tokens.js";
export type { KeyShelf, KeyTiming, KnownKeys } from "./identity-tokens/issuer-keys.js";
export { issuerProblems } from "./identity-tokens/issuer-url.js";
export { type JoseHeader, readJoseHeader } from "./identity-tokens/jose-header.js";
export {
  type ClaimMapping,
  type JwtIssuer,
  type PrefixedClaim,
  signingAlgorithms,
  type TokenUser,
} from "./identity-tokens/jwt-issuer.js";
export { userOfClaims } from "./identity-tokens/user-of-claims.js";
export type {
  CertificatePem,
  ClientAuthorization,
  ClientConfig,
  ClientIdentity,
  ExecCluster,
  ExecPluginConfig,
  InteractiveMode,
} from "./kubeconfig/client-config.js";
export { type ExecUserEntry, setExecUser } from "./kubeconfig/edit-kubeconfig.js";
export { type KubeconfigEntries, mergeKubeconfig } from "./kubeconfig/merge-kubeconfig.js";
export {
  type KubeconfigIdentities,
  loadKubeconfig,
  loadKubeconfigIdentities,
  type ParseKubeconfigOptions,
  parseKubeconfig,
} from "./kubeconfig/parse-kubeconfig.js";
export { formatKubeconfig, type KubeconfigContent, writeKubeconfig } from "./kubeconfig/write-kubeconfig.js";
export { createLogger, type LoggerOptions } from "./logs/create-logger.js";
export { type LogFields, type Logger, type LogLevel, silentLogger } from "./logs/logger.js";
export {
  type Counter,
  createMetricsRegistry,
  type Gauge,
  type Histogram,
  type Labelled,
  type MetricOptions,
  type MetricsRegistry,
  type MetricsRegistryOptions,
  metricsContentType,
  type Summary,
} from "./metrics/metrics-registry.js";
export type { AlternativeNames } from "./pki/alternative-names.js";
export { type CertificateRequest, CertificateRequestError, readCertificateRequest } from "./pki/certificate-request.js";
export { type CertificateSubjectNames, certificateSubject } from "./pki/certificate-subject.js";
export type { NameAttribute } from "./pki/distinguished-name.js";
export {
  type EnsureCertificateOptions,
  type EnsuredCertificate,
  ensureCertificate,
} from "./pki/ensure-certificate.js";
export { ensurePrivateKey } from "./pki/ensure-private-key.js";
export type { PrivateKeyType } from "./pki/generate-private-key.js";
export {
  type CertificateAndKey,
  type CertificateSubject,
  type IssueOptions,
  issueCertificate,
} from "./pki/issue-certificate.js";
export { type PemBlock, pemBlocks } from "./pki/pem-blocks.js";
export { type PrivateKeyForm, privateKeyOf } from "./pki/private-key-of.js";
export {
  SignRequestError,
  type SignRequestOptions,
  signRequest,
} from "./pki/sign-request.js";
export {
  ConfigurationError,
  formatProblems,
  type Problem,
  problemAt,
} from "./problems/configuration-error.js";
export { isSystemError } from "./problems/system-error.js";
export { yamlProblem } from "./problems/yaml-problem.js";
export { endOnFatalError } from "./shutdown/end-on-fatal-error.js";
export type { ProcessLike } from "./shutdown/process-like.js";
export {
  type DrainTask,
  type RunUntilSignalOptions,
  runUntilSignal,
} from "./shutdown/run-until-signal.js";
export { thisProcess } from "./shutdown/this-process.js";
export { inNextRound } from "./time/next-round.js";
export { pause } from "./time/pause.js";
export { unlessAborted } from "./time/unless-aborted.js";
export type { CertificateCaller, IdentifyCaller } from "./tls/caller-certificates.js";
export { authoritiesOf, certificateOf, certificatesOf, certificatesShownWith } from "./tls/certificates-of.js";
export {
  type AskForCertificate,
  type HttpsServerOptions,
  type HttpsServing,
  type HttpsServingOptions,
  openHttpsServing,
} from "./tls/https-serving.js";
export { peerCertificateOf } from "./tls/peer-certificate.js";
export {
  type CertificateFiles,
  openReloadingCertificates,
  type ReloadingCertificates,
  type ReloadingCertificatesOptions,
  type SecureContextHolder,
  type ServingCertificates,
} from "./tls/reloading-certificates.js";
export {
  type ClientVerificationOptions,
  type ConcludeConnection,
  type VerifiedCertificate,
  verifyClients,
} from "./tls/verify-clients.js";
export { version } from "./version.js";
