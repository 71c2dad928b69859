import type { protocolComponents } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.ts';

export type Protocol = (typeof protocolComponents)[number];

/** Returns a function that reports whether a protocol is disabled, by the console or the environment. False until known. */
export function useProtocolsOff(): (protocol: Protocol) => boolean {
  const { data } = useQuery({ ...apiQuery(calls.queryComponents, {}), retry: false });
  const off = new Set(
    data?.components.filter(({ state }) => state === 'off' || state === 'absent').map(({ name }) => name),
  );
  return (protocol) => off.has(protocol);
}
