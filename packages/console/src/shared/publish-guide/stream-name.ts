import { defaultStreamName, generatedStreamNameHexDigits, storageKeys } from '@srs-stack/contract/constants.ts';
import { isValidStreamName } from '@srs-stack/contract/stream-name.ts';

/** Returns the stored name if valid, else the default. */
export function readStreamName(storage: Pick<Storage, 'getItem'>): string {
  try {
    const stored = storage.getItem(storageKeys.streamName) ?? '';
    return isValidStreamName(stored) ? stored : defaultStreamName;
  } catch {
    return defaultStreamName;
  }
}

/** Stores the name in this browser. */
export function storeStreamName(storage: Pick<Storage, 'setItem'>, name: string): void {
  try {
    storage.setItem(storageKeys.streamName, name);
  } catch {
    // Without storage, the name lasts until the page closes.
  }
}

/** Random hex digits, which are unlikely to be an existing stream. */
export function randomStreamName(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = fillRandom): string {
  const bytes = random(new Uint8Array(generatedStreamNameHexDigits / 2));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fillRandom(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  return crypto.getRandomValues(bytes);
}
