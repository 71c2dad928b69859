// Formats a phrase of the server (contract, phrases.ts) in the language of the page. Pure: the texts are parameters.
import type { WirePhrase } from '@srs-stack/contract';
import { isWirePhrase } from '@srs-stack/contract/phrases.ts';

/** Maximum nesting depth of phrases; the server uses two levels. */
const maxDepth = 4;

export interface PhraseTexts {
  /** Whether a text exists. A newer server may send keys that this console lacks. */
  has: (key: string) => boolean;
  format: (key: string, values: Record<string, string | number>) => string;
  separator: string;
}

/** Returns undefined if the phrase or a nested phrase has no text. */
export function phraseText(phrase: WirePhrase, texts: PhraseTexts, depth = 0): string | undefined {
  if (depth > maxDepth || !texts.has(phrase.key)) return undefined;
  const values: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(phrase.values)) {
    const shown = valueText(value, texts, depth);
    if (shown === undefined) return undefined;
    values[name] = shown;
  }
  return texts.format(phrase.key, values);
}

function valueText(value: unknown, texts: PhraseTexts, depth: number): string | number | undefined {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (Array.isArray(value)) {
    const parts = value.map((each: unknown) => valueText(each, texts, depth));
    return parts.includes(undefined) ? undefined : parts.join(texts.separator);
  }
  return isWirePhrase(value) ? phraseText(value, texts, depth + 1) : undefined;
}
