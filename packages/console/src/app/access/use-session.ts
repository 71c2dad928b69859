// The stored credential as React state. Updates after login, logout, and changes in other tabs.
import { useSyncExternalStore } from 'react';
import { onSessionChange, readSession, type StoredSession } from '../../api/stored-session.ts';

export function useSession(): StoredSession | undefined {
  return useSyncExternalStore(onSessionChange, readSession);
}
