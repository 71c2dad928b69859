/** Calls `make` only when the argument differs (`Object.is`) from the last argument. Callers must not modify the result. */
export function rememberLast<From, Made>(make: (from: From) => Made): (from: From) => Made {
  let last: { readonly from: From; readonly made: Made } | undefined;
  return (from) => {
    if (last === undefined || !Object.is(last.from, from)) last = { from, made: make(from) };
    return last.made;
  };
}
