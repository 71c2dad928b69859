// Caches the JSON of values that are sent repeatedly, as bytes: a long list is assembled from cached blocks instead of being serialized for
// each client. A cached value must not change.
const kept = new WeakMap<object, readonly Buffer[]>();

/** Caches the JSON of a value, in consecutive parts; returns the value. */
export function withJsonBytes<T extends object>(value: T, parts: readonly Buffer[]): T {
  kept.set(value, parts);
  return value;
}

/** The cached JSON of this value. */
export function jsonBytesOf(value: unknown): readonly Buffer[] | undefined {
  return typeof value === 'object' && value !== null ? kept.get(value) : undefined;
}
