/** User name of the API server at webhook servers, which admit nobody else. */
export const webhookCallerName = "gatehouse-apiserver-webhook-caller";

/** User name of the API server when it sends audit events. */
export const auditSenderName = "gatehouse-apiserver-audit";

/** User name for queries to the audit sink of a deployment. */
export const auditReaderName = "gatehouse-audit-reader";

/** The administrator's name at the API server. */
export const administratorName = "kubernetes-admin";

/** Name of the user who can still mend what administrators have broken. */
export const superAdministratorName = "kubernetes-super-admin";

/** Administrators whose rights come from a binding, so that they can be taken away. */
export const administratorGroup = "gatehouse:cluster-admins";

/** May do everything whatever roles and authorizers say, and nothing can change that but another authority. */
export const privilegedGroup = "system:masters";
