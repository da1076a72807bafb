// Expressions drawn at random from a grammar. Most are right; now and then a part has another type, a member is missing,
// or a function is given what it fails on.
//
// A scope says what an expression may name: lists of expressions by their type (`bool`, `int`, `double`, `string`, `texts`,
// `ints`, `map` of strings, `any`), `members` that may be absent, for `has()`, `lists` of objects as `{ of, item }` with the
// scope of an item's members (texts that begin with a dot), `authorizer: true`, and `bounded: true` if the sizes of all
// values must be known before evaluation: only then is a rule sure to be within its budget.

const words = [
  "a",
  "b",
  "abc",
  "prod",
  "x-y",
  "",
  "Kubernetes",
  "10",
  "1.5",
  "5Gi",
  "200m",
  "2020-01-01T00:00:00Z",
  "1h30m",
];
const patterns = ["^[a-z]+$", "a|b", "^\\\\d{1,3}$", "(?i)^PROD", "o+", "\\\\p{Greek}", "^$"];
/** Literals with which no call succeeds. */
const badPattern = "[";

const urls = ["https://example.com:80/a/b?c=d&c=e#f", "/path", "http://[::1]/x", "not a url"];
const zones = ["UTC", "Europe/Berlin", "-02:00", "nowhere"];

export class Grammar {
  #r;
  #scope;
  /** Probability that a part is something else than what belongs there. */
  #odd;
  #depth = 0;
  #mostDepth;

  constructor(r, scope, odd = 0.03, mostDepth = 4) {
    this.#r = r;
    this.#scope = scope;
    this.#odd = odd;
    this.#mostDepth = mostDepth;
  }

  /** An expression of a type: `bool`, `int`, `double`, `string`, `texts`, `ints` or `any`. */
  of(type) {
    if (this.#r.chance(this.#odd)) return this.#strange();
    this.#depth++;
    const result = this.#depth > this.#mostDepth ? this.#leaf(type) : this[type]();
    this.#depth--;
    return result;
  }

  bool() {
    const r = this.#r;
    const of = (type) => this.of(type);
    return r.pick([
      () => this.#leaf("bool"),
      () => `${of("int")} ${r.pick(["<", "<=", ">", ">=", "==", "!="])} ${of("int")}`,
      () => `${of("int")} ${r.pick(["<", ">=", "=="])} ${of("int")}`,
      () => `${of("string")} ${r.pick(["==", "!=", "<", ">="])} ${of("string")}`,
      () => `${of("string")} == ${of("string")}`,
      () => `${of("double")} ${r.pick(["<", "<=", ">", "=="])} ${of(r.pick(["double", "int"]))}`,
      () => `(${of("bool")} && ${of("bool")})`,
      () => `(${of("bool")} || ${of("bool")})`,
      () => `(${of("bool")} || ${of("bool")})`,
      () => `!(${of("bool")})`,
      () => `(${of("bool")} ? ${of("bool")} : ${of("bool")})`,
      () => this.#has(),
      () => this.#has(),
      () => `${of("string")} in ${of("texts")}`,
      () => `${of("int")} in ${of("ints")}`,
      () => `${this.#text()} in ${this.#leaf("map")}`,
      () => `${of("string")}.${r.pick(["startsWith", "endsWith", "contains"])}(${of("string")})`,
      () => `${of("string")}.matches('${this.#pattern()}')`,
      () => this.#overList("texts", "t", "string"),
      () => this.#overList("ints", "n", "int"),
      () => this.#overObjects("bool"),
      () => this.#overObjects("bool"),
      () => this.#overMap(),
      () => (this.#hasSized("texts") ? `${of("texts")} == ${of("texts")}` : this.#has()),
      () => (this.#hasSized("texts") ? `${of("texts")}.isSorted()` : this.#has()),
      () => this.#setsCall(),
      () => `isURL(${r.chance(0.5) ? `'${r.pick(urls)}'` : of("string")})`,
      () => `${of("any")} == ${of("any")}`,
      () => `type(${of("any")}) == ${r.pick(["string", "int", "double", "map", "list", "null_type", "bool"])}`,
      () => `${this.#time()} ${r.pick(["<", ">", "=="])} ${this.#time()}`,
      () => `${this.#duration()} ${r.pick(["<", ">="])} ${this.#duration()}`,
      () => (this.#scope.authorizer ? this.#access() : this.#has()),
    ])();
  }

  int() {
    const r = this.#r;
    const of = (type) => this.of(type);
    return r.pick([
      () => this.#leaf("int"),
      () => this.#leaf("int"),
      () => `size(${of(r.pick(["string", "texts", "ints"]))})`,
      () => `${this.#leaf("map")}.size()`,
      () => `(${of("int")} ${r.pick(["+", "-", "*", "/", "%"])} ${of("int")})`,
      () => `int(${readable(of(r.pick(["string", "double", "int"])))})`,
      () => `${of("string")}.${r.pick(["indexOf", "lastIndexOf"])}(${of("string")})`,
      () => `${of("ints")}.${r.pick(["sum", "min", "max"])}()`,
      () => `(${of("bool")} ? ${of("int")} : ${of("int")})`,
      () =>
        `${this.#time()}.${r.pick(["getFullYear", "getMonth", "getDayOfWeek"])}(${r.chance(0.5) ? `'${r.pick(zones)}'` : ""})`,
      () => `${this.#duration()}.${r.pick(["getSeconds", "getHours", "getMilliseconds"])}()`,
      () => this.#overObjects("int"),
      () => `-${of("int")}`,
    ])();
  }

  double() {
    const r = this.#r;
    return r.pick([
      () => this.#leaf("double"),
      () => `double(${readable(this.of(r.pick(["int", "string"])))})`,
      () => `(${this.of("double")} ${r.pick(["+", "-", "*", "/"])} ${this.of("double")})`,
    ])();
  }

  string() {
    const r = this.#r;
    const of = (type) => this.of(type);
    if (this.#scope.bounded) {
      return r.pick([
        () => this.#leaf("string"),
        () => this.#leaf("string"),
        () => `(${this.#leaf("string")} + ${this.#leaf("string")})`,
        () => `${this.#leaf("string")}.${r.pick(["lowerAscii", "upperAscii", "trim"])}()`,
        () => `${this.#leaf("string")}.find('${this.#pattern()}')`,
        () => `(${of("bool")} ? ${this.#leaf("string")} : ${this.#leaf("string")})`,
      ])();
    }
    return r.pick([
      () => this.#leaf("string"),
      () => this.#leaf("string"),
      () => this.#leaf("string"),
      () => `(${of("string")} + ${of("string")})`,
      () => `string(${of(r.pick(["int", "double", "bool", "string"]))})`,
      () => `string(${r.chance(0.5) ? this.#time() : this.#duration()})`,
      () => `${of("string")}.${r.pick(["lowerAscii", "upperAscii", "trim"])}()`,
      () => `${of("string")}.replace(${this.#text()}, ${of("string")}${r.chance(0.3) ? `, ${r.int(3)}` : ""})`,
      () => `${of("string")}.substring(${r.int(3)}${r.chance(0.4) ? `, ${r.int(6)}` : ""})`,
      () => `${of("string")}.charAt(${r.int(4)})`,
      () => `${of("string")}.split(${this.#text()})[${r.int(2)}]`,
      () => `${of("string")}.find('${this.#pattern()}')`,
      () => `${of("texts")}.join(${this.#text()})`,
      () => `${of("texts")}[${r.int(2)}]`,
      () => this.#formatted(),
      () => `(${of("bool")} ? ${of("string")} : ${of("string")})`,
      () => `url('${r.pick(urls)}').${r.pick(["getHost", "getHostname", "getPort", "getScheme", "getEscapedPath"])}()`,
    ])();
  }

  texts() {
    const r = this.#r;
    if (this.#scope.bounded) {
      return r.pick([() => this.#leaf("texts"), () => this.#leaf("texts")])();
    }
    return r.pick([
      () => this.#leaf("texts"),
      () => this.#leaf("texts"),
      () => `[${Array.from({ length: r.int(4) }, () => this.of("string")).join(", ")}]`,
      () => `${this.of("texts")}.map(t, ${this.#with({ string: ["t"] }, "string")})`,
      () => `${this.of("texts")}.filter(t, ${this.#with({ string: ["t"] }, "bool")})`,
      () => `${this.of("string")}.split(${this.#text()})`,
      () => `${this.of("string")}.findAll('${this.#pattern()}')`,
      () => `(${this.of("texts")} + ${this.of("texts")})`,
      () => this.#overObjects("texts"),
    ])();
  }

  ints() {
    const r = this.#r;
    if (this.#scope.bounded) return this.#leaf("ints");
    return r.pick([
      () => this.#leaf("ints"),
      () => `[${Array.from({ length: 1 + r.int(3) }, () => this.of("int")).join(", ")}]`,
      () => `${this.of("ints")}.map(n, ${this.#with({ int: ["n"] }, "int")})`,
      () => `${this.of("texts")}.map(t, ${this.#with({ string: ["t"] }, "int")})`,
    ])();
  }

  any() {
    return this.#r.chance(0.5) ? this.#leaf("any") : this.of(this.#r.pick(["int", "string", "texts", "double"]));
  }

  /** Reports whether there are values of a type whose sizes are known: those of literals of lists are not. */
  #hasSized(type) {
    return !this.#scope.bounded || this.#scope[type]?.length > 0;
  }

  #overList(type, name, item) {
    if (!this.#hasSized(type)) return this.#has();
    const macro = this.#r.pick(["all", "exists", "exists_one"]);
    return `${this.of(type)}.${macro}(${name}, ${this.#with({ [item]: [name] }, "bool")})`;
  }

  #leaf(type) {
    const known = this.#scope[type] ?? [];
    const isSure = type === "map" || (this.#scope.bounded && (type === "texts" || type === "ints"));
    return known.length > 0 && (isSure || this.#r.chance(0.75)) ? this.#r.pick(known) : this.#literal(type);
  }

  #literal(type) {
    const r = this.#r;
    switch (type) {
      case "bool":
        return r.pick(["true", "false"]);
      case "int":
        return r.pick(["0", "1", "2", "3", "10", "100", "-1", "9223372036854775807", "0x1F"]);
      case "double":
        return r.pick(["0.5", "1.0", "2.25", "1e10", "-0.0"]);
      case "string":
        return this.#text();
      case "texts":
        return r.pick(["['a', 'b']", "[]", "['prod', 'a', 'abc']"]);
      case "ints":
        return r.pick(["[1, 2, 3]", "[3, 1]", "[0]"]);
      case "map":
        return r.pick(["{'a': 'b'}", "{'prod': 'a'}"]);
      default:
        return r.pick(["null", "1", "'a'", "[1]", "{'a': 1}", "1.0", "1u", "b'a'"]);
    }
  }

  #text() {
    return `'${this.#r.pick(words)}'`;
  }

  #strange() {
    return this.#r.pick([
      "null",
      "1 / 0",
      "[1][2]",
      "{'a': 1}",
      "'a'",
      "1",
      "1.5",
      "dyn(1)",
      "dyn('a')",
      "string(1)",
      "[dyn(1), 'a']",
    ]);
  }

  #has() {
    const { members = [] } = this.#scope;
    return members.length === 0 ? this.#leaf("bool") : `has(${this.#r.pick(members)})`;
  }

  /** An expression in a scope that knows some more names. */
  #with(more, type) {
    const outer = this.#scope;
    const inner = { ...outer };
    for (const [name, items] of Object.entries(more)) {
      // The names of the inner scope are as likely as all others together.
      inner[name] = Array.isArray(items) ? [...(outer[name] ?? []), ...items, ...items] : items;
    }
    this.#scope = inner;
    const result = this.of(type);
    this.#scope = outer;
    return result;
  }

  /** A macro over a list of objects. */
  #overObjects(type) {
    const r = this.#r;
    const { lists = [] } = this.#scope;
    if (lists.length === 0 || this.#depth > this.#mostDepth - 1) return this.#leaf(type);
    const { of, item } = r.pick(lists);
    const name = `i${this.#depth}`;
    const members = Object.fromEntries(
      Object.entries(item).map(([key, items]) => [
        key,
        key === "lists"
          ? items.map((list) => ({ ...list, of: `${name}${list.of}` }))
          : items.map((path) => `${name}${path}`),
      ]),
    );
    const body = (inner) => this.#with(members, inner);
    if (type === "bool") return `${of}.${r.pick(["all", "exists", "exists_one", "all"])}(${name}, ${body("bool")})`;
    if (type === "int") return `${of}.filter(${name}, ${body("bool")}).size()`;
    return r.chance(0.5)
      ? `${of}.map(${name}, ${body("string")})`
      : `${of}.map(${name}, ${body("bool")}, ${body("string")})`;
  }

  /** A macro over the keys of a map. Go walks maps in no order: the macros say the same in every order. */
  #overMap() {
    const map = this.#leaf("map");
    const test = this.#r.pick([
      `k.startsWith(${this.#text()})`,
      `k.matches('^[a-z]+$')`,
      `size(k) < ${1 + this.#r.int(8)}`,
      `${map}[k] == ${this.#text()}`,
      `${map}[k].size() > ${this.#r.int(4)}`,
    ]);
    return `${map}.${this.#r.pick(["all", "exists", "exists_one"])}(k, ${test})`;
  }

  /** A function that no new expression may use in v1.29, since the release before it does not know it. */
  #setsCall() {
    const [a, b] = [this.of("texts"), this.of("texts")];
    const name = this.#r.pick(["contains", "equivalent", "intersects"]);
    return this.#r.chance(this.#odd) ? `sets.${name}(${a}, ${b})` : `${a}.all(t, t in ${b})`;
  }

  /** A text made of a text and a number; now and then by a function that no new expression may use. */
  #formatted() {
    const [text, number] = [this.of("string"), this.of("int")];
    return this.#r.chance(this.#odd)
      ? `'%s is %d'.format([${text}, ${number}])`
      : `(${text} + ' is ' + string(${number}))`;
  }

  #pattern() {
    return this.#r.chance(this.#odd) ? badPattern : this.#r.pick(patterns);
  }

  #time() {
    if (this.#r.chance(this.#odd)) return "timestamp('soon')";
    return this.#r.pick([
      "timestamp('2020-01-01T00:00:00Z')",
      "timestamp('2024-02-29T23:59:59.5+01:00')",
      "(timestamp('2020-01-01T00:00:00Z') + duration('25h'))",
    ]);
  }

  #duration() {
    if (this.#r.chance(this.#odd)) return `duration(${this.#text()})`;
    return this.#r.pick(["duration('1h30m')", "duration('90s')", "duration('-5ms')", "duration('24h')"]);
  }

  #access() {
    const r = this.#r;
    const verb = r.pick(["get", "create", "delete", "use"]);
    const resource = r.pick(["pods", "configmaps", "secrets", "nodes"]);
    const subresource = r.chance(0.2) ? ".subresource('status')" : "";
    const inside = r.chance(0.6) ? ".namespace(request.namespace)" : "";
    const named = r.chance(0.3) ? `.name('${r.pick(["a", "b"])}')` : "";
    const who = r.chance(0.2) ? "authorizer.serviceAccount('default', 'robot')" : "authorizer";
    const check = r.pick([
      `${who}.group('').resource('${resource}')${subresource}${inside}${named}.check('${verb}')`,
      `${who}.path('/${r.pick(["healthz", "metrics", "apis"])}').check('get')`,
      `${who}.requestResource.check('${verb}')`.replace(/^.*serviceAccount.*?\)\./, "authorizer."),
    ]);
    return `${check}.${r.pick(["allowed()", "allowed()", "reason() == ''", "errored()"])}`;
  }
}

/** Returns an expression whose value is a number in digits in place of a literal that is not. */
function readable(expression) {
  return /^'[^']*'$/.test(expression) ? "'10'" : expression;
}
