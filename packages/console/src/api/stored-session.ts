// The credential stored in this browser. Listeners are notified of changes in this tab and in other tabs (storage event).
import type { Session } from '@srs-stack/contract';
import { storageKeys } from '@srs-stack/contract/constants.ts';

/** Older consoles stored fewer fields; only the token is required. */
export type StoredSession = Partial<Session> & { token: string };

const listeners = new Set<() => void>();
let cachedText: string | null = null;
let cachedSession: StoredSession | undefined;

/** The stored credential, or undefined. The returned object stays identical until the stored text changes. */
export function readSession(): StoredSession | undefined {
  const text = readText();
  if (text !== cachedText) {
    cachedText = text;
    cachedSession = parseSession(text);
  }
  return cachedSession;
}

export function storeSession(session: StoredSession): void {
  localStorage.setItem(storageKeys.token, JSON.stringify(session));
  notify();
}

export function clearSession(): void {
  try {
    localStorage.removeItem(storageKeys.token);
  } catch {
    // The browser blocks the storage, so nothing is stored.
  }
  notify();
}

/** Calls `listener` when the credential changes in any tab. The returned function removes the listener. */
export function onSessionChange(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === storageKeys.token || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

function notify(): void {
  for (const listener of listeners) listener();
}

function readText(): string | null {
  try {
    return localStorage.getItem(storageKeys.token);
  } catch {
    return null;
  }
}

function parseSession(text: string | null): StoredSession | undefined {
  if (!text) return undefined;
  try {
    const record = JSON.parse(text) as Partial<Session> | null;
    return typeof record?.token === 'string' && record.token !== '' ? { ...record, token: record.token } : undefined;
  } catch {
    return undefined;
  }
}
