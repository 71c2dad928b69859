// Whether WebRTC works on this page, and an override by the operator.
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useEnvironment } from '../environment.ts';
import { allowLocalhostParameter, type WebrtcAvailability, webrtcAvailability } from './webrtc-availability.ts';

export interface UsedWebrtcAvailability extends WebrtcAvailability {
  /** Adds the query parameter that allows WebRTC over localhost. */
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
