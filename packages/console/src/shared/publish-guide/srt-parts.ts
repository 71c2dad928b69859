// Splits an SRT address into the fields of encoders.
import type { AddressSet } from '@srs-stack/contract';
import { defaultSrtPort } from '@srs-stack/contract/constants.ts';

export interface SrtParts {
  /** IPv6 addresses have no brackets, because encoders have a separate field for the host. */
  host: string;
  port: string;
  publishStreamId: string;
  playStreamId: string;
}

const srtUrl = /^srt:\/\/(?<host>.*):(?<port>\d+)\?streamid=(?<streamId>.*)$/;

/** Splits SRT addresses of `buildAddresses`. Never throws. */
export function srtParts({ srtPublishUrl, srtPlayUrl }: Pick<AddressSet, 'srtPublishUrl' | 'srtPlayUrl'>): SrtParts {
  const publish = srtUrl.exec(srtPublishUrl)?.groups;
  return {
    host: publish?.host?.replace(/^\[(.*)\]$/, '$1') ?? '',
    port: publish?.port ?? defaultSrtPort,
    publishStreamId: publish?.streamId ?? '',
    playStreamId: srtUrl.exec(srtPlayUrl)?.groups?.streamId ?? '',
  };
}
