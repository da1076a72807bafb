import "./get-semantics.js";
import "./list-semantics.js";
import "./watch-semantics.js";
import "./retained-history.js";
