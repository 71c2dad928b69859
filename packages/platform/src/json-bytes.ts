// The JSON of values that are answered again and again, kept as bytes: a long list is put together from the bytes of its blocks,
// instead of being written anew for each caller. A value that is given here must not change any more.
const kept = new WeakMap<object, readonly Buffer[]>();

/** Remembers the JSON of a value, in parts that follow each other; returns the value. */
export function withJsonBytes<T extends object>(value: T, parts: readonly Buffer[]): T {
  kept.set(value, parts);
  return value;
}

/** What was remembered of this value. */
export function jsonBytesOf(value: unknown): readonly Buffer[] | undefined {
  return typeof value === 'object' && value !== null ? kept.get(value) : undefined;
}
