import "./get-semantics.js";
import "./list-semantics.js";
import "./watch-semantics.js";
import "./retained-history.js";
import "./http2.js";
import "./watch-end.js";
import "./odd-patches.js";
