// Policies written by hand, after those that people run. Each is about one kind; `bindings` hold members of their specs over
// those that all have; `before` are objects in the namespace of the policy.

const containers = "(object.spec.containers + (has(object.spec.initContainers) ? object.spec.initContainers : []))";
const template = "object.spec.template.spec.containers";
const is = (expression, more = {}) => ({ expression, ...more });
const says = (expression, messageExpression, more = {}) => ({ expression, messageExpression, ...more });
const policy = (kind, name, validations, more = {}) => ({
  kind,
  name,
  spec: { validations, ...more.spec },
  ...more.rest,
});
const configMapParams = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };
const limits = { paramKind: { apiVersion: "policies.example.com/v1", kind: "Limit" } };
const gadgetParams = { paramKind: { apiVersion: "policies.example.com/v1", kind: "Gadget" } };
const settings = (name, data, labels = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels: { ...labels, param: "yes" } },
  data,
});
const ref = (more, actions = ["Deny"]) => ({
  validationActions: actions,
  paramRef: { parameterNotFoundAction: "Deny", ...more },
});

const pods = [
  policy("pod", "image tags are not latest", [
    says(
      `${containers}.all(c, c.image.contains(':') && !c.image.endsWith(':latest'))`,
      `'images without a tag, or with latest: ' + ${containers}.filter(c, !c.image.contains(':') || c.image.endsWith(':latest')).map(c, c.image).join(', ')`,
    ),
  ]),
  policy(
    "pod",
    "images come from known registries",
    [
      is("variables.outside.size() == 0", {
        messageExpression: "'not from our registries: ' + variables.outside.join(', ')",
        reason: "Forbidden",
      }),
    ],
    {
      spec: {
        variables: [
          { name: "images", expression: `${containers}.map(c, c.image)` },
          {
            name: "outside",
            expression:
              "variables.images.filter(i, !i.startsWith('registry.example.com/') && !i.startsWith('ghcr.io/'))",
          },
        ],
      },
    },
  ),
  policy("pod", "limits of memory", [
    says(
      "object.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && 'memory' in c.resources.limits)",
      "'no limit of memory: ' + object.spec.containers.filter(c, !has(c.resources.limits)).map(c, c.name).join(',')",
      { message: "every container needs a limit of memory" },
    ),
  ]),
  policy("pod", "limits are no more than eight times the requests", [
    is(
      "object.spec.containers.all(c, !has(c.resources.requests) || !has(c.resources.limits) || c.resources.requests.all(k, !(k in c.resources.limits) || quantity(c.resources.limits[k]).compareTo(quantity(c.resources.requests[k])) >= 0))",
      { message: "limits below requests" },
    ),
    is("object.spec.containers.all(c, !has(c.resources.limits.cpu) || isQuantity(c.resources.limits.cpu))"),
  ]),
  policy("pod", "no privileges", [
    is(
      "object.spec.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privileged) || c.securityContext.privileged == false)",
      { reason: "Forbidden" },
    ),
    is("object.spec.containers.all(c, c.?securityContext.?allowPrivilegeEscalation.orValue(true) == false)"),
  ]),
  policy("pod", "no escalation", [
    is(
      "object.spec.containers.all(c, has(c.securityContext) && has(c.securityContext.allowPrivilegeEscalation) && !c.securityContext.allowPrivilegeEscalation)",
      { message: "allowPrivilegeEscalation must be false", reason: "Forbidden" },
    ),
  ]),
  policy(
    "pod",
    "no root",
    [
      is(
        "(has(object.spec.securityContext) && has(object.spec.securityContext.runAsNonRoot) && object.spec.securityContext.runAsNonRoot) || object.spec.containers.all(c, c.securityContext.runAsNonRoot)",
      ),
    ],
    { spec: { failurePolicy: "Fail" } },
  ),
  policy("pod", "no root, errors ignored", [is("object.spec.containers.all(c, c.securityContext.runAsUser != 0)")], {
    spec: { failurePolicy: "Ignore" },
  }),
  policy("pod", "capabilities are dropped", [
    is(
      "object.spec.containers.all(c, has(c.securityContext.capabilities.drop) && c.securityContext.capabilities.drop.exists_one(d, d == 'ALL'))",
      { message: "drop ALL" },
    ),
    is(
      "object.spec.containers.all(c, !has(c.securityContext.capabilities.add) || sets.contains(['NET_BIND_SERVICE'], c.securityContext.capabilities.add))",
    ),
  ]),
  policy(
    "pod",
    "no paths of the host",
    [is("!has(object.spec.volumes) || object.spec.volumes.all(v, !has(v.hostPath))", { message: "hostPath" })],
    {
      rest: { bindings: [{ validationActions: ["Warn", "Audit"] }] },
    },
  ),
  policy("pod", "no network of the host", [
    is("!object.spec.hostNetwork", {
      messageExpression: "'hostNetwork of ' + object.metadata.name + ' in ' + request.namespace",
    }),
  ]),
  policy("pod", "pods keep their node selector", [
    is("oldObject == null || object.spec.?nodeSelector == oldObject.spec.?nodeSelector"),
  ]),
  policy("pod", "labels stay", [
    is(
      "oldObject == null || !has(oldObject.metadata.labels) || oldObject.metadata.labels.all(k, has(object.metadata.labels) && k in object.metadata.labels && object.metadata.labels[k] == oldObject.metadata.labels[k])",
      { message: "labels stay" },
    ),
  ]),
  policy("pod", "the zone of the namespace", [
    says(
      "!has(object.spec.nodeSelector) || !('zone' in object.spec.nodeSelector) || object.spec.nodeSelector.zone == namespaceObject.metadata.labels['zone']",
      "'zone ' + namespaceObject.metadata.labels.zone + ' of ' + namespaceObject.metadata.name",
    ),
  ]),
  policy("pod", "tolerations of system nodes", [
    is(
      "!has(object.spec.tolerations) || object.spec.tolerations.all(t, t.key != 'k' || t.operator == 'Exists' && has(t.tolerationSeconds) && t.tolerationSeconds <= 300)",
    ),
  ]),
  policy("pod", "only those who may use the service account", [
    is(
      "!has(object.spec.serviceAccountName) || object.spec.serviceAccountName == 'default' || authorizer.group('').resource('serviceaccounts').namespace(request.namespace).name(object.spec.serviceAccountName).check('use').allowed()",
      {
        messageExpression:
          "request.userInfo.username + ' may not use ' + object.spec.serviceAccountName + ': ' + authorizer.group('').resource('serviceaccounts').check('use').reason()",
        reason: "Unauthorized",
      },
    ),
  ]),
  policy("pod", "ports are high", [
    is("object.spec.containers.all(c, !has(c.ports) || c.ports.all(p, p.containerPort >= 1024))", {
      reason: "RequestEntityTooLarge",
      message: "low ports",
    }),
  ]),
  policy(
    "pod",
    "a chain of variables",
    [
      is("variables.c > 2", {
        messageExpression: "'a=' + string(variables.a) + ' b=' + string(variables.b) + ' c=' + string(variables.c)",
      }),
    ],
    {
      spec: {
        variables: [
          { name: "a", expression: "object.spec.containers.size()" },
          { name: "b", expression: "variables.a * 2" },
          { name: "c", expression: "variables.a + (variables.b > 2 ? 0 : 10 / (variables.b - 2))" },
        ],
      },
    },
  ),
];

const workloads = [
  policy("deployment", "replicas below a limit", [is("object.spec.replicas <= 3")]),
  policy(
    "deployment",
    "replicas below that of a ConfigMap",
    [
      says(
        "object.spec.replicas <= int(params.data.max)",
        "'at most ' + params.data.max + ' says ' + params.metadata.name",
      ),
    ],
    {
      spec: configMapParams,
      rest: { before: [settings("max", { max: "2" })], bindings: [ref({ name: "max" })] },
    },
  ),
  policy(
    "deployment",
    "replicas below that of a Limit",
    [says("object.spec.replicas <= params.max", "string(params.max) + params.text")],
    {
      spec: limits,
      rest: { bindings: [ref({ name: "small" })] },
    },
  ),
  policy("deployment", "a Limit with a namespace", [is("object.spec.replicas <= params.max")], {
    spec: limits,
    rest: { bindings: [ref({ name: "small", namespace: "default" })] },
  }),
  policy("deployment", "all Limits", [is("object.spec.replicas <= params.max")], {
    spec: limits,
    rest: { bindings: [ref({ selector: {} })], several: true },
  }),
  policy(
    "deployment",
    "Limits by label",
    [is("params.allowed.exists(a, a == object.spec.template.spec.containers[0].name)")],
    {
      spec: limits,
      rest: { bindings: [ref({ selector: { matchExpressions: [{ key: "size", operator: "In", values: ["big"] }] } })] },
    },
  ),
  policy("deployment", "no Limit, allowed", [is("false")], {
    spec: limits,
    rest: { bindings: [ref({ name: "none", parameterNotFoundAction: "Allow" })] },
  }),
  policy("deployment", "no Limit, denied", [is("true")], { spec: limits, rest: { bindings: [ref({ name: "none" })] } }),
  policy("deployment", "no Limit, ignored", [is("true")], {
    spec: { ...limits, failurePolicy: "Ignore" },
    rest: { bindings: [ref({ name: "none" })] },
  }),
  policy("deployment", "a kind of params that is not there", [is("true")], {
    spec: { paramKind: { apiVersion: "nothing.example.com/v1", kind: "Nothing" } },
    rest: { bindings: [ref({ name: "x" })] },
  }),
  policy("deployment", "a kind of params that is not there, ignored", [is("false")], {
    spec: { paramKind: { apiVersion: "nothing.example.com/v1", kind: "Nothing" }, failurePolicy: "Ignore" },
    rest: { bindings: [ref({ name: "x" })] },
  }),
  policy(
    "deployment",
    "Gadgets of the namespace",
    [
      says(
        "object.spec.replicas >= params.spec.size",
        "params.kind + params.apiVersion + string(params.spec.tags) + params.spec['odd-name']",
      ),
    ],
    {
      spec: gadgetParams,
      rest: {
        before: [
          {
            apiVersion: "policies.example.com/v1",
            kind: "Gadget",
            metadata: { name: "g" },
            spec: { size: 3, tags: ["a"], "odd-name": "x" },
          },
        ],
        bindings: [ref({ name: "g" })],
      },
    },
  ),
  policy("deployment", "surge", [
    is(
      "!has(object.spec.strategy.rollingUpdate) || object.spec.strategy.rollingUpdate.maxSurge == '25%' || object.spec.strategy.rollingUpdate.maxSurge == 1",
      { message: "surge" },
    ),
  ]),
  policy("deployment", "surge is a text", [is("type(object.spec.strategy.rollingUpdate.maxSurge) == string")]),
  policy("deployment", "names of containers", [
    is(`${template}.all(c, c.name.matches('^[a-z]([a-z0-9-]*[a-z0-9])?$')) && ${template}.map(c, c.name).isSorted()`),
  ]),
  policy("deployment", "requests from within", [
    is(
      "request.userInfo.groups.exists(g, g == 'system:masters') || !('system:authenticated' in request.userInfo.groups)",
      {
        messageExpression: "request.userInfo.username + ' of ' + request.userInfo.groups.join('+')",
        reason: "Forbidden",
      },
    ),
  ]),
  policy("deployment", "conditions", [is("false")], {
    spec: {
      matchConditions: [
        { name: "not-jane", expression: "request.userInfo.username != 'jane'" },
        { name: "has-replicas", expression: "object.spec.replicas > 2" },
      ],
    },
  }),
  policy("deployment", "a condition that fails", [is("false")], {
    spec: {
      matchConditions: [
        { name: "a", expression: "object.spec.paused" },
        { name: "b", expression: "object.spec.replicas > 2" },
      ],
    },
  }),
  policy("deployment", "a condition that fails, ignored", [is("false")], {
    spec: { failurePolicy: "Ignore", matchConditions: [{ name: "a", expression: "object.spec.paused" }] },
  }),
  policy("deployment", "annotations of audit", [is("object.spec.replicas < 4", { message: "noted" })], {
    spec: {
      auditAnnotations: [
        { key: "replicas", valueExpression: "'replicas: ' + string(object.spec.replicas)" },
        { key: "paused", valueExpression: "has(object.spec.paused) ? 'paused' : null" },
        { key: "broken", valueExpression: "string(object.spec.paused)" },
      ],
    },
    rest: { bindings: [{ validationActions: ["Audit", "Warn"] }] },
  }),
  policy("cronJob", "schedules", [
    is("object.spec.schedule.split(' ').size() == 5 && object.spec.schedule.findAll('[0-9]+').all(n, int(n) < 60)", {
      message: "five fields",
    }),
  ]),
  policy(
    "cronJob",
    "names are short",
    [
      is("size(object.metadata.name) <= 3"),
      is("object.spec.concurrencyPolicy != 'Replace'", { message: "  do not replace\n", reason: "Invalid" }),
    ],
    {
      rest: { bindings: [{ validationActions: ["Audit", "Deny"] }] },
    },
  ),
];

const others = [
  policy("service", "no node ports", [is("object.spec.type != 'NodePort' && object.spec.type != 'LoadBalancer'")]),
  policy("service", "no external addresses", [
    is("!has(object.spec.externalIPs) || object.spec.externalIPs.size() == 0"),
  ]),
  policy("service", "ports have protocols", [
    is("object.spec.ports.all(p, has(p.appProtocol))", {
      messageExpression: "'ports: ' + string(object.spec.ports.map(p, p.port))",
    }),
  ]),
  policy("service", "target ports", [
    is("object.spec.ports.all(p, p.targetPort == 8080 || p.targetPort == 'http')", {
      messageExpression: "object.spec.ports.map(p, string(p.targetPort)).join(';')",
    }),
  ]),
  policy("configMap", "keys of data", [
    is("!has(object.data) || object.data.all(k, k.matches('^[a-z]+$'))", {
      messageExpression: "'keys\\nof data'",
      message: "keys",
    }),
  ]),
  policy("configMap", "data stays", [
    is(
      "request.operation != 'UPDATE' || (has(object.data) == has(oldObject.data) && (!has(object.data) || object.data == oldObject.data))",
    ),
  ]),
  policy("configMap", "what is deleted", [
    is("request.operation != 'DELETE' || oldObject.metadata.name == 'b' && object == null", {
      messageExpression: "'deleted: ' + oldObject.metadata.name + ' ' + string(request.dryRun)",
    }),
  ]),
  policy("configMap", "options of the request", [
    is(
      "request.options.kind == 'DeleteOptions' || !has(request.options.fieldManager) || request.options.fieldManager != 'b'",
    ),
  ]),
  policy("configMap", "the request", [
    says(
      "false",
      "[request.kind.group, request.kind.version, request.kind.kind, request.resource.resource, request.requestKind.kind, request.requestResource.version, request.operation, request.name, request.namespace, request.userInfo.username, string(request.dryRun), request.subResource].join('|')",
    ),
  ]),
  policy("configMap", "a budget for all", [
    is(
      "'a'.matches('(a|aa)+$') && [1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, true))))))",
    ),
  ]),
  policy("configMap", "a message that costs too much", [
    says(
      "false",
      "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, true)))))) ? 'a' : 'b'",
      { message: "cheap" },
    ),
  ]),
  policy("configMap", "two bindings", [says("object.data.a == 'a'", "'a is ' + object.data.a")], {
    rest: { several: true, bindings: [{ validationActions: ["Deny"] }, { validationActions: ["Warn", "Audit"] }] },
  }),
  policy("configMap", "a binding for prod", [is("false", { message: "in prod" })], {
    rest: {
      bindings: [{ validationActions: ["Deny"], matchResources: { objectSelector: { matchLabels: { env: "prod" } } } }],
    },
  }),
  policy("configMap", "a binding for names", [is("false")], {
    rest: {
      bindings: [
        {
          validationActions: ["Deny"],
          matchResources: {
            resourceRules: [
              {
                apiGroups: [""],
                apiVersions: ["*"],
                operations: ["CREATE"],
                resources: ["configmaps"],
                resourceNames: ["a"],
              },
            ],
          },
        },
      ],
    },
  }),
  policy("configMap", "a binding without what it excludes", [is("false")], {
    rest: {
      bindings: [
        {
          validationActions: ["Deny"],
          matchResources: {
            excludeResourceRules: [
              {
                apiGroups: [""],
                apiVersions: ["*"],
                operations: ["UPDATE", "DELETE"],
                resources: ["*"],
                scope: "Namespaced",
              },
            ],
            matchPolicy: "Exact",
          },
        },
      ],
    },
  }),
  policy("role", "no wildcards", [
    is(
      "!has(object.rules) || object.rules.all(x, x.verbs.all(v, v != '*') && (!has(x.resources) || !('*' in x.resources)))",
      { messageExpression: "'wildcards in ' + object.rules.map(x, x.verbs.join('/')).join(' ')", reason: "Forbidden" },
    ),
  ]),
  policy("role", "nobody gives what he has not", [
    is(
      "!has(object.rules) || object.rules.all(x, x.resources.all(y, x.verbs.all(v, authorizer.group(x.apiGroups[0]).resource(y).namespace(request.namespace).check(v).allowed())))",
    ),
  ]),
  policy("gadget", "sizes and ratios", [
    is("object.spec.size > 3 || double(object.spec.size) < object.spec.ratio", {
      messageExpression: "string(object.spec.ratio) + ' ' + '%.2f'.format([object.spec.ratio])",
    }),
  ]),
  policy("gadget", "numbers that are whole", [
    is("object.spec.ratio == 1.0 || object.spec.ratio > 2", {
      messageExpression: "type(object.spec.ratio) == double ? 'double' : 'int'",
    }),
  ]),
  policy("gadget", "either", [
    is("type(object.spec.either) == int ? object.spec.either < 2 : object.spec.either.endsWith('%')"),
  ]),
  policy("gadget", "odd names", [is("object.spec['odd-name'] == 'a' || object.spec.odd__dash__name == 'b'")]),
  policy("gadget", "free values", [
    is("object.spec.free == 1 || object.spec.free.a.b == 1", { messageExpression: "string(object.spec.free)" }),
  ]),
  policy("gadget", "times", [
    is("timestamp(object.spec.since) < timestamp('2022-01-01T00:00:00Z')", {
      messageExpression: "string(timestamp(object.spec.since) + duration('1h'))",
    }),
  ]),
  policy("gadget", "parts by name", [
    is(
      "oldObject == null || object.spec.parts.all(p, oldObject.spec.parts.exists(q, q.name == p.name && p.count >= q.count))",
      { reason: "Forbidden" },
    ),
  ]),
  policy("gadget", "quantities", [
    is("quantity(object.spec.extra.team).isLessThan(quantity('1k'))", {
      messageExpression: "string(quantity('1500m').asApproximateFloat()) + string(isQuantity(object.spec['odd-name']))",
    }),
  ]),
];

export const byHand = [...pods, ...workloads, ...others];
