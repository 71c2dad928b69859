// Caches the last result of a function whose argument rarely changes.

/** Calls `make` only when the argument differs (`Object.is`) from the last one. The result must not be modified. */
export function rememberLast<From, Made>(make: (from: From) => Made): (from: From) => Made {
  let last: { readonly from: From; readonly made: Made } | undefined;
  return (from) => {
    if (last === undefined || !Object.is(last.from, from)) last = { from, made: make(from) };
    return last.made;
  };
}
