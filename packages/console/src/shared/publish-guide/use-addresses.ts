import type { AddressSet, Environment } from '@srs-stack/contract';
import { buildAddresses } from '@srs-stack/contract/addresses.ts';
import { defaultApp } from '@srs-stack/contract/constants.ts';
import { useMemo } from 'react';
import { useEnvironment } from '../environment.ts';

/**
 * Addresses of a stream on the host of this page.
 * @param secret '' if publishing needs none.
 * @param watchQuery added to play addresses; '' for open streams.
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
