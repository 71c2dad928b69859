// The JSON text of values that are answered again and again: a long list is put together from the texts of its rows, instead
// of being written anew for each caller. A value that is given here must not change any more.
const texts = new WeakMap<object, string>();

/** Remembers the JSON text of a value; returns the value. */
export function withJsonText<T extends object>(value: T, text: string): T {
  texts.set(value, text);
  return value;
}

/** As JSON.stringify, which it asks when nothing is remembered. */
export function jsonTextOf(value: unknown): string {
  const known = typeof value === 'object' && value !== null ? texts.get(value) : undefined;
  return known ?? JSON.stringify(value ?? null);
}
