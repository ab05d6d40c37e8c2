// The form that data must have: a check takes a value and its name, and throws a Problem that names what does not fit.

/** The error for a value of another form. */
function broken(what, value, expected) {
  const given = (JSON.stringify(value) ?? "missing").slice(0, 40);
  return new Problem(`This page's data is broken: ${what} is ${given}, not ${expected}. Make the page again.`);
}

/** A whole number that is not negative. */
function count(value, what) {
  if (!Number.isInteger(value) || value < 0) throw broken(what, value, "a whole number");
  return value;
}

/** A number. */
function finite(value, what) {
  if (!Number.isFinite(value)) throw broken(what, value, "a number");
  return value;
}

/** A number above 0. */
function positive(value, what) {
  if (!(finite(value, what) > 0)) throw broken(what, value, "above 0");
  return value;
}

/** A text. */
function text(value, what) {
  if (typeof value !== "string") throw broken(what, value, "a text");
  return value;
}

/** A whole number from `least` to below `limit`. */
const between = (least, limit) => (value, what) => {
  if (!Number.isInteger(value) || value < least || value >= limit) throw broken(what, value, `a whole number from ${least} to below ${limit}`);
  return value;
};

/** The same or null. */
const maybe = (check) => (value, what) => (value === null || value === undefined ? value : check(value, what));

/** A list, each member of which is checked, of a length if one is given. */
const many = (check, length) => (value, what) => list_(value, what, length).map((member, at) => check(member, `${what}[${at}]`));

/** A list with a check for each place. */
const row = (...checks) => (value, what) => list_(value, what, checks.length).map((member, at) => checks[at](member, `${what}[${at}]`));

/** Members of these names. */
const members = (checks) => (value, what) => {
  if (value === null || typeof value !== "object") throw broken(what, value, "an object with members");
  for (const [name, check] of Object.entries(checks)) check(value[name], what ? `${what}.${name}` : name);
  return value;
};

/** A list of whole numbers below a limit, of a length if one is given. */
function numbers(list, what, limit, length) {
  return many(between(0, limit), length)(list, what);
}

/** A list, of a length if one is given. */
function list_(list, what, length) {
  if (!Array.isArray(list)) throw broken(what, list, "a list");
  if (length !== undefined && list.length !== length) {
    throw new Problem(`This page's data is broken: ${what} has ${list.length} members, not ${length}. Make the page again.`);
  }
  return list;
}
