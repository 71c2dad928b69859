// The play addresses of a stream with the query that authorizes playback. Pure.
import { buildAddresses, type WebScheme } from '@srs-stack/contract/addresses.ts';

export interface LinkedAddress {
  /** Untranslated name of the protocol; absent for the watch page. */
  readonly name?: string;
  readonly url: string;
}

export interface LinkedAddressesInput {
  readonly pattern: string;
  /** The query that authorizes playback: `watch=…`. */
  readonly query: string;
  readonly environment: { readonly rtmpPort: string; readonly srtPort: string; readonly httpPort: string };
  readonly page: Pick<Location, 'hostname' | 'protocol' | 'port'>;
}

/** The result is empty for a pattern, because a pattern has no single address. */
export function linkedAddresses({ pattern, query, environment, page }: LinkedAddressesInput): LinkedAddress[] {
  const slash = pattern.lastIndexOf('/');
  if (pattern.includes('*') || slash < 0) return [];
  const { rtmpPort, srtPort, httpPort } = environment;
  const set = buildAddresses({
    ...{ hostname: page.hostname, pagePort: page.port, rtmpPort, srtPort, httpPort },
    scheme: page.protocol.replace(':', '') as WebScheme,
    app: pattern.slice(0, slash),
    stream: pattern.slice(slash + 1),
    watchQuery: query,
  });
  return [
    { url: set.watchPage },
    { name: 'HTTP-FLV', url: set.flvUrl },
    { name: 'HLS', url: set.m3u8Url },
    { name: 'WebRTC (WHEP)', url: set.whepUrl },
    { name: 'RTMP', url: set.rtmpPlayUrl },
    { name: 'SRT', url: set.srtPlayUrl },
  ];
}
