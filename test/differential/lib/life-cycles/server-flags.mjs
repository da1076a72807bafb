// Flags of the servers of the areas about the life of objects, v1.29's and ours alike.

export const sharedFlags = [
  "--authorization-mode=AlwaysAllow",
  "--feature-gates=ValidatingAdmissionPolicy=true",
  "--runtime-config=api/all=true",
  // Pods need no account that a controller would make.
  "--disable-admission-plugins=ServiceAccount",
];

/** Controllers of the API server itself. */
export const ownControllers = ["kube-apiserver"];

/** Controllers of kube-controller-manager that run beside both servers of the area `controlled-cycles`. */
export const sharedControllers = [
  ...["namespace-controller", "garbage-collector-controller", "serviceaccount-controller"],
  "root-ca-certificate-publisher-controller",
];
