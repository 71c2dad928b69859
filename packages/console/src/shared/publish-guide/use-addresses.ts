// The addresses of a stream for the host of this page.
import type { AddressSet, Environment } from '@srs-stack/contract';
import { buildAddresses } from '@srs-stack/contract/addresses.ts';
import { defaultApp } from '@srs-stack/contract/constants.ts';
import { useMemo } from 'react';
import { useEnvironment } from '../environment.ts';

/**
 * @param secret empty while publishing needs none.
 * @param watchQuery added to play addresses; empty if they need no signed link.
 */
export function useAddresses(stream: string, secret: string, app: string = defaultApp, watchQuery = ''): AddressSet {
  const environment = useEnvironment();
  return useMemo(
    () => addressesHere(environment, location, { app, stream, secret, watchQuery }),
    [environment, app, stream, secret, watchQuery],
  );
}

export function addressesHere(
  {
    rtmpPort,
    rtmpsPort,
    rtspPort,
    srtPort,
    httpPort,
  }: Pick<Environment, 'rtmpPort' | 'rtmpsPort' | 'rtspPort' | 'srtPort' | 'httpPort'>,
  page: Pick<Location, 'hostname' | 'protocol' | 'port'>,
  source: { app: string; stream: string; secret?: string; watchQuery?: string },
): AddressSet {
  const scheme = page.protocol === 'https:' ? 'https' : 'http';
  const ports = { rtmpPort, rtmpsPort, rtspPort, srtPort, httpPort, pagePort: page.port };
  return buildAddresses({ hostname: page.hostname, scheme, ...ports, ...source });
}
