// Flags of the servers of the area `audit-events`, v1.29's and ours alike.
export const auditFlags = [
  "--authorization-mode=Node,RBAC",
  "--feature-gates=ValidatingAdmissionPolicy=true",
  "--runtime-config=api/all=true",
];
