// Translatable messages. A catalogue contains the English templates; responses contain key and values in addition to the English text; the
// console has translations for the same keys.

/** Names of the placeholders of a template: `'{host} is never contacted'` has `host`. */
export type NamesIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** A value may be a phrase itself, or several phrases in sequence. */
export type PhraseValue = string | number | Phrase | readonly Phrase[];

/** A message of the catalogue `of`, with its English text. */
export interface Phrase<Name extends string = string> {
  readonly of: Name;
  readonly key: string;
  readonly values: Readonly<Record<string, PhraseValue>>;
  readonly text: string;
}

/** The values of a template: exactly its placeholders; nothing when it has none. */
export type PhraseValues<Template extends string> = [NamesIn<Template>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<Template>, PhraseValue>>];

/** The wire format, which the client translates. Values that are phrases are objects of the same format. */
export interface WirePhrase {
  key: string;
  /** Strings, numbers, phrases in this format, and lists of these. */
  values: Record<string, unknown>;
}

/** Returns a function that creates the phrases of one catalogue. A wrong key, and a missing or superfluous value, are compile errors. */
export function phrasesOf<Name extends string, const Catalogue extends Readonly<Record<string, string>>>(
  of: Name,
  catalogue: Catalogue,
) {
  return <Key extends keyof Catalogue & string>(key: Key, ...given: PhraseValues<Catalogue[Key]>): Phrase<Name> => {
    const values: Readonly<Record<string, PhraseValue>> = given[0] ?? {};
    const text = (catalogue[key] as string).replace(/\{(\w+)\}/g, (_, name: string) => textOf(values[name] ?? ''));
    return { of, key, values, text };
  };
}

function textOf(value: PhraseValue): string {
  if (typeof value !== 'object') return String(value);
  return 'text' in value ? value.text : value.map(({ text }) => text).join('; ');
}

/** The wire format: key and values without the English text. */
export function toWirePhrase({ key, values }: Phrase): WirePhrase {
  const wireValues = Object.entries(values).map(([name, value]) => [name, toWireValue(value)] as const);
  return { key, values: Object.fromEntries(wireValues) };
}

function toWireValue(value: PhraseValue): unknown {
  if (typeof value !== 'object') return value;
  return 'text' in value ? toWirePhrase(value) : value.map(toWirePhrase);
}

/** Checks that a value, sent by any version, has the format of a phrase. */
export function isWirePhrase(value: unknown): value is WirePhrase {
  if (typeof value !== 'object' || value === null) return false;
  const { key, values } = value as Partial<WirePhrase>;
  return typeof key === 'string' && typeof values === 'object' && values !== null;
}
