// The version of the product, from the root package.json.
import { readFileSync } from 'node:fs';

/** Without a leading v. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return String((JSON.parse(text) as { version?: unknown }).version ?? '0.0.0');
}
