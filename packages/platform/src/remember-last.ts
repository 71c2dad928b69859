// The last thing that was made, for what is asked again and again of a value that seldom changes: its answer, its digest.

/** `make`, called only when it is asked of another value (`Object.is`) than the last time. What it made must not be changed. */
export function rememberLast<From, Made>(make: (from: From) => Made): (from: From) => Made {
  let last: { readonly from: From; readonly made: Made } | undefined;
  return (from) => {
    if (last === undefined || !Object.is(last.from, from)) last = { from, made: make(from) };
    return last.made;
  };
}
