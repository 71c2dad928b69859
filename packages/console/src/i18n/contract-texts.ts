// English texts from the contract's phrases, as sentences. If a phrase contains field names, a text file overrides its key with a text for
// operators.

export type Texts = { readonly [key: string]: string | Texts };

/** Loaders by namespace; each is loaded together with the text file. */
export const contractTexts: Readonly<Record<string, () => Promise<Texts>>> = {
  errors: async () => {
    const { isReasonPart, refusalDetails } = await import('@srs-stack/contract/refusal-details.ts');
    return { reason: textsOf(refusalDetails, (text, key) => (isReasonPart(key) ? text : sentence(text))) };
  },
  worker: async () => {
    const { workerDetails } = await import('@srs-stack/contract/worker-details.ts');
    return { detail: textsOf(workerDetails, (text, key) => (key === 'verbatim' ? text : sentence(text))) };
  },
  dashboard: async () => {
    const { settingChanges } = await import('@srs-stack/contract/setting-changes.ts');
    return { change: textsOf(settingChanges, (text) => text) };
  },
};

/** Whether the English text exists only in the server's OpenAPI document. */
export function isEnglishElsewhere(namespace: string, key: string): boolean {
  return namespace === 'openapi' && /^(?:call|group)\./.test(key);
}

/** Merges two trees of texts; a text of `above` replaces the text of `below` with the same key. Pure. */
export function mergeTexts(below: Texts, above: Texts): Texts {
  const merged: Record<string, string | Texts> = { ...below };
  for (const [key, text] of Object.entries(above)) {
    const other = merged[key];
    merged[key] = typeof text === 'object' && typeof other === 'object' ? mergeTexts(other, text) : text;
  }
  return merged;
}

/** Converts a catalogue of dotted keys to the tree of a text file, with placeholders in the form of i18next. */
function textsOf(catalogue: Readonly<Record<string, string>>, shown: (text: string, key: string) => string): Texts {
  return Object.entries(catalogue).reduce<Texts>((tree, [key, text]) => {
    const leaf: string | Texts = shown(text, key).replace(/\{(\w+)\}/g, '{{$1}}');
    const branch = key.split('.').reduceRight<string | Texts>((inner, part) => ({ [part]: inner }), leaf);
    return mergeTexts(tree, branch as Texts);
  }, {});
}

/** Converts a phrase to a complete sentence. No full stop follows a placeholder at its end, because the inserted message has its own. */
function sentence(phrase: string): string {
  const text = phrase.charAt(0).toUpperCase() + phrase.slice(1);
  return /[.:!?]$|: \{\w+\}$/.test(text) ? text : `${text}.`;
}
