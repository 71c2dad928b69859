// Caches the JSON bytes of values that are sent repeatedly. A long list is assembled from cached blocks, not serialized for each client. A
// cached value must not change.
const kept = new WeakMap<object, readonly Buffer[]>();

/** Caches the JSON of `value`, in consecutive parts. Returns `value`. */
export function withJsonBytes<T extends object>(value: T, parts: readonly Buffer[]): T {
  kept.set(value, parts);
  return value;
}

/** Returns the cached JSON of `value`, if any. */
export function jsonBytesOf(value: unknown): readonly Buffer[] | undefined {
  return typeof value === 'object' && value !== null ? kept.get(value) : undefined;
}
