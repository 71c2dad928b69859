// Masks secrets in displayed texts: stream keys, publish secrets, passwords of URLs.

import type { WorkerDetail } from '@srs-stack/contract';

export type Mask = (text: string) => string;

const masked = '******';
/** Minimum length of a masked part of a key. Shorter parts are often common words, and masking them would garble the text. */
const minSecretLength = 4;

/** Creates a mask, which replaces every occurrence of each secret. Longer secrets are replaced first. */
export function createMask(secrets: readonly string[]): Mask {
  const parts = new Set(secrets.flatMap(secretParts).filter((part) => part.length >= minSecretLength));
  const ordered = [...parts].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((result, secret) => result.replaceAll(secret, masked), text);
}

/** The detail with its text and values masked. */
export function maskedDetail(detail: WorkerDetail, mask: Mask): WorkerDetail {
  const values = Object.entries(detail.values).map(
    ([name, value]) => [name, typeof value === 'string' ? mask(value) : value] as const,
  );
  return { ...detail, values: Object.fromEntries(values), text: mask(detail.text) };
}

/** The secret itself, its query and the values in the query; also decoded, because programs print decoded values. */
function secretParts(secret: string): string[] {
  const query = secret.split('?').slice(1).join('?');
  const values = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [secret, decoded(secret), query, ...values, ...values.map(decoded)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
