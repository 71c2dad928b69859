// Readers for responses of another program, which may have an older or newer version. Missing values and values of another type count as
// unknown; nothing is refused. Contains no schemas, so that pages that use a reader stay small.

/** Converts any value; never throws. */
export type Reader<T> = (value: unknown) => T;
/** The result type of a reader. */
export type Read<R> = R extends Reader<infer T> ? T : never;

type Fields = Readonly<Record<string, Reader<unknown>>>;
type Always<F extends Fields> = { readonly [Name in keyof F]: Read<F[Name]> };
type Sometimes<F extends Fields> = { readonly [Name in keyof F]?: Exclude<Read<F[Name]>, undefined> | undefined };

/** A missing number is 0. */
export const numberOrZero: Reader<number> = (value) => (isFiniteNumber(value) ? value : 0);
/** A missing string is empty; a number becomes a string. */
export const text: Reader<string> = (value) =>
  isFiniteNumber(value) || typeof value === 'string' ? String(value) : '';
/** True only when the value is `true`. */
export const flag: Reader<boolean> = (value) => value === true;

export const optionalNumber: Reader<number | undefined> = (value) => (isFiniteNumber(value) ? value : undefined);
export const optionalText: Reader<string | undefined> = (value) => (typeof value === 'string' ? value : undefined);

/** One of the given strings, or the fallback for all others. */
export function oneOf<const Word extends string>(words: readonly Word[], otherwise: Word): Reader<Word> {
  return (value) => words.find((word) => word === value) ?? otherwise;
}

export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => (Array.isArray(value) ? value.map(read) : []);
}

/** Like `listOf`, but undefined if the value is not a list. */
export function optionalListOf<T>(read: Reader<T>): Reader<readonly T[] | undefined> {
  return (value) => (Array.isArray(value) ? value.map(read) : undefined);
}

/** Entries that `is` accepts; undefined if the value is not an object. */
export function entriesOf<T>(is: (value: unknown) => value is T): Reader<Readonly<Record<string, T>> | undefined> {
  return (value) => {
    if (!isObject(value)) return undefined;
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, T] => is(entry[1])));
  };
}

/** Reads an object with the fields of `always` and `optional`; only fields of `optional` may be absent in the result. */
export function object<A extends Fields, S extends Fields = Record<never, never>>(
  always: A,
  optional?: S,
): Reader<Always<A> & Sometimes<S>> {
  return (value) => {
    const given = isObject(value) ? value : {};
    const found = Object.entries(always).map(([name, read]) => [name, read(given[name])] as const);
    const known = Object.entries(optional ?? {}).map(([name, read]) => [name, read(given[name])] as const);
    return Object.fromEntries([...found, ...known.filter(([, made]) => made !== undefined)]) as Always<A> &
      Sometimes<S>;
  };
}

/** Reads an object; null if the value is not an object. */
export function objectOrNull<T>(read: Reader<T>): Reader<T | null> {
  return (value) => (isObject(value) ? read(value) : null);
}

/** Reads an object; undefined if the value is not an object. */
export function optionalObject<T>(read: Reader<T>): Reader<T | undefined> {
  return (value) => (isObject(value) ? read(value) : undefined);
}

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
