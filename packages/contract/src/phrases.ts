// Translatable messages. The server has a catalogue of English templates. A response contains the English text, the message key and the
// values. The console translates the key.

/** Names of the placeholders of a template: `host` for `'{host} is never contacted'`. */
export type NamesIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** A value of a placeholder: text, a number, a phrase, or a sequence of phrases. */
export type PhraseValue = string | number | Phrase | readonly Phrase[];

/** A message with its English text. `of` is the name of its catalogue. */
export interface Phrase<Name extends string = string> {
  readonly of: Name;
  readonly key: string;
  readonly values: Readonly<Record<string, PhraseValue>>;
  readonly text: string;
}

/** Exactly the placeholders of the template; no argument for a template without placeholders. */
export type PhraseValues<Template extends string> = [NamesIn<Template>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<Template>, PhraseValue>>];

/** A phrase in a response, to be translated by the client. Nested phrases have this format too. */
export interface WirePhrase {
  key: string;
  /** Strings, numbers, nested phrases, and lists of phrases. */
  values: Record<string, unknown>;
}

/** Returns a function that creates phrases of one catalogue. Unknown keys, missing values and superfluous values are compile errors. */
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

/** Returns the key and the values, without the English text. */
export function toWirePhrase({ key, values }: Phrase): WirePhrase {
  const wireValues = Object.entries(values).map(([name, value]) => [name, toWireValue(value)] as const);
  return { key, values: Object.fromEntries(wireValues) };
}

function toWireValue(value: PhraseValue): unknown {
  if (typeof value !== 'object') return value;
  return 'text' in value ? toWirePhrase(value) : value.map(toWirePhrase);
}

/** Checks the format of a received value; the sender may run another version. */
export function isWirePhrase(value: unknown): value is WirePhrase {
  if (typeof value !== 'object' || value === null) return false;
  const { key, values } = value as Partial<WirePhrase>;
  return typeof key === 'string' && typeof values === 'object' && values !== null;
}
