// Generates a suggested password: the last characters of a random UUID, without dashes.
import { generatedPasswordLength } from '@srs-stack/contract/constants.ts';

export function generatePassword(uuid: string = randomUuid()): string {
  return uuid.replaceAll('-', '').slice(-generatedPasswordLength);
}

/** Pages over plain HTTP lack `crypto.randomUUID`. */
function randomUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
