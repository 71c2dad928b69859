// State of the connection: whether the network and the control plane are available, and whether responses are slow.
import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { controlPlane } from '../../api/control-plane.ts';

/** Time without a first response after which the console reports a slow server, milliseconds. */
const slowAfterMs = 4_000;

export type ConnectionState = 'good' | 'offline' | 'away' | 'slow';

export function useConnectionState(): ConnectionState {
  const isOnline = useSyncExternalStore(
    onOnlineChange,
    () => navigator.onLine,
    () => true,
  );
  const plane = useSyncExternalStore(controlPlane.subscribe, controlPlane.state, controlPlane.state);
  const isSlow = useIsSlow();
  if (!isOnline) return 'offline';
  if (plane === 'away') return 'away';
  return isSlow ? 'slow' : 'good';
}

function onOnlineChange(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Whether a page without data has waited longer than `slowAfterMs`. */
function useIsSlow(): boolean {
  const isWaiting = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0;
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsSlow(true), slowAfterMs);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [isWaiting]);
  return isSlow;
}
