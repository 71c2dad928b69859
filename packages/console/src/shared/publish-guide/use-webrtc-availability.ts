// Whether WebRTC is available from this page, and the operator's override.
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useEnvironment } from '../environment.ts';
import { allowLocalhostParameter, type WebrtcAvailability, webrtcAvailability } from './webrtc-availability.ts';

export interface UsedWebrtcAvailability extends WebrtcAvailability {
  /** Allows WebRTC over localhost by a query parameter of this page. */
  allowLocalhost: () => void;
}

export function useWebrtcAvailability(): UsedWebrtcAvailability {
  const environment = useEnvironment();
  const [query, setQuery] = useSearchParams();
  const text = query.toString();
  return useMemo(() => {
    const { hostname, protocol, port, pathname } = location;
    const search = text === '' ? '' : `?${text}`;
    const allowLocalhost = () =>
      setQuery((before) => {
        const after = new URLSearchParams(before);
        after.set(allowLocalhostParameter, 'true');
        return after;
      });
    return { ...webrtcAvailability({ hostname, protocol, port, pathname, search }, environment), allowLocalhost };
  }, [environment, text, setQuery]);
}
