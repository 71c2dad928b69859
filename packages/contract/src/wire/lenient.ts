// Readers of what another program answers, which may be an older or a newer one: what is missing or of another shape counts as
// unknown, and nothing is refused. Plain, so that the page of the media server reads rows without schemas.

/** Makes something of any value. */
export type Reader<T> = (value: unknown) => T;
/** What a reader makes. */
export type Read<R> = R extends Reader<infer T> ? T : never;

type Fields = Readonly<Record<string, Reader<unknown>>>;
type Always<F extends Fields> = { readonly [Name in keyof F]: Read<F[Name]> };
type Sometimes<F extends Fields> = { readonly [Name in keyof F]?: Exclude<Read<F[Name]>, undefined> | undefined };

/** A missing figure is 0. */
export const figure: Reader<number> = (value) => (isFigure(value) ? value : 0);
/** A missing text is empty; a number stands for itself. */
export const text: Reader<string> = (value) => (isFigure(value) || typeof value === 'string' ? String(value) : '');
/** On only when the answer says so. */
export const flag: Reader<boolean> = (value) => value === true;

export const optionalFigure: Reader<number | undefined> = (value) => (isFigure(value) ? value : undefined);
export const optionalText: Reader<string | undefined> = (value) => (typeof value === 'string' ? value : undefined);

/** One of the given words, or what stands for all others. */
export function oneOf<const Word extends string>(words: readonly Word[], otherwise: Word): Reader<Word> {
  return (value) => words.find((word) => word === value) ?? otherwise;
}

export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value) => (Array.isArray(value) ? value.map(read) : []);
}

/** Entries that `is` knows; undefined for everything that is no object. */
export function entriesOf<T>(is: (value: unknown) => value is T): Reader<Readonly<Record<string, T>> | undefined> {
  return (value) => {
    if (!isObject(value)) return undefined;
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, T] => is(entry[1])));
  };
}

/** An object with these fields; those of `optional` are left out where there is nothing. */
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

/** The same, and null for everything that is no object. */
export function objectOrNull<T>(read: Reader<T>): Reader<T | null> {
  return (value) => (isObject(value) ? read(value) : null);
}

/** The same, and undefined for everything that is no object. */
export function optionalObject<T>(read: Reader<T>): Reader<T | undefined> {
  return (value) => (isObject(value) ? read(value) : undefined);
}

export function isFigure(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
