// Builds English texts from the phrases of the contract. A text file can override a phrase that contains field names.

export type Texts = { readonly [key: string]: string | Texts };

/** Loaders of contract texts by namespace. */
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

/** Whether only the server's OpenAPI document contains the English text. */
export function isEnglishElsewhere(namespace: string, key: string): boolean {
  return namespace === 'openapi' && /^(?:call|group)\./.test(key);
}

/** Merges two trees of texts; texts of `above` take precedence. Pure. */
export function mergeTexts(below: Texts, above: Texts): Texts {
  const merged: Record<string, string | Texts> = { ...below };
  for (const [key, text] of Object.entries(above)) {
    const other = merged[key];
    merged[key] = typeof text === 'object' && typeof other === 'object' ? mergeTexts(other, text) : text;
  }
  return merged;
}

function textsOf(catalogue: Readonly<Record<string, string>>, shown: (text: string, key: string) => string): Texts {
  return Object.entries(catalogue).reduce<Texts>((tree, [key, text]) => {
    const leaf: string | Texts = shown(text, key).replace(/\{(\w+)\}/g, '{{$1}}');
    const branch = key.split('.').reduceRight<string | Texts>((inner, part) => ({ [part]: inner }), leaf);
    return mergeTexts(tree, branch as Texts);
  }, {});
}

/** Capitalizes a phrase and adds a full stop, except after a final placeholder, whose value has its own full stop. */
function sentence(phrase: string): string {
  const text = phrase.charAt(0).toUpperCase() + phrase.slice(1);
  return /[.:!?]$|: \{\w+\}$/.test(text) ? text : `${text}.`;
}
