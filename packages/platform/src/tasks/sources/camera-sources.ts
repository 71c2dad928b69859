// Validates and probes addresses of cameras.
import { randomUUID } from 'node:crypto';
import { type AcquiredSource, AppError, because, type MediaSource, type MediaSourceItem } from '@srs-stack/contract';
import { isTsScheme, parseTsAddress } from '@srs-stack/media/protocols/ts-udp/ts-address.ts';
import { createPlaces } from '../../concurrency/places.ts';
import { checkAddress, judgeHost } from '../../network/address-rule.ts';
import { withEncodedUserInfo } from '../../workers/ffmpeg-args/address.ts';
import { type MediaFacts, type ProbeTarget, probeMedia } from '../../workers/ffprobe.ts';
import { takeRunLimits } from '../../workers/run-limits.ts';
import type { SourceProxy } from '../../workers/source-proxy.ts';
import { checkStreamAddress } from '../vlive/vlive-sources.ts';

/** Maximum number of parallel ffprobe processes. */
const maxProbesAtOnce = 4;

export interface CameraSources {
  checkStreamUrl(url: string): AcquiredSource;
  /** Tracks of the camera; null for RTSP over TLS and datagrams. Throws if the camera is unreachable or its bitrate is too high. */
  probe(item: MediaSourceItem): Promise<MediaSource>;
}

export interface CameraSourcesDeps {
  /** `camera`: maximum bitrate, kbit/s. */
  readonly limits: { current(): { readonly camera: number } };
  readonly proxy: Pick<SourceProxy, 'environmentFor'>;
  readonly probe?: (target: ProbeTarget) => Promise<MediaFacts>;
}

export function createCameraSources({ limits, proxy, probe = probeMedia }: CameraSourcesDeps): CameraSources {
  const places = createPlaces(maxProbesAtOnce);
  return {
    checkStreamUrl(url) {
      if (url === '') throw new AppError('invalidRequest', because('source.address-missing'));
      checkCameraAddress(url);
      const path = url.split('?', 1)[0] ?? '';
      return { name: path.split('/').filter(Boolean).at(-1) ?? url, uuid: randomUUID(), target: url, size: 0 };
    },

    async probe(item) {
      const url = withEncodedUserInfo(takeRunLimits(item.target).address);
      const { host } = checkCameraAddress(url);
      // Not probed: only the media server may listen on the port of such an address.
      if (isTsScheme(url)) return { ...item, format: null, video: null, audio: null };
      const verdict = await judgeHost(host);
      if (verdict === 'unknown') throw new AppError('mediaUnreachable', because('address.host-unknown', { host }));
      if (verdict === 'forbidden') throw new AppError('addressRefused', because('address.never-contacted', { host }));
      // Not probed: FFmpeg verifies no certificate and would send the password to any server.
      if (/^rtsps:/i.test(url)) return { ...item, format: null, video: null, audio: null };
      const environment = await proxy.environmentFor(url);
      const { layout: _, ...facts } = await places(() => probe({ url, environment }));
      checkBitrate(item, facts.format.bit_rate, limits.current().camera);
      return { ...item, ...facts };
    },
  };
}

function checkBitrate({ name }: MediaSourceItem, bitRate: string, maximum: number): void {
  const kbps = Number(bitRate) / 1_000;
  // A live source reports no bitrate (NaN) and is accepted.
  if (!(kbps > maximum)) return;
  const values = { name: name || because('source.unnamed'), kbps: Math.round(kbps), maximum };
  throw new AppError('sourceBitrateTooHigh', because('source.bitrate', values));
}

/** Checks only the port: the camera sends datagrams without a connection. */
function checkTsAddress(address: string): { host: string } {
  const found = parseTsAddress(address);
  if (!found) throw new AppError('addressRefused', because('address.datagrams'));
  return { host: found.host };
}

/** Throws with the violated rule. */
export function checkCameraAddress(url: string): { host: string } {
  const address = withEncodedUserInfo(url);
  if (isTsScheme(address)) return checkTsAddress(address);
  return /^rtsps:/i.test(address) ? checkAddress(address, ['rtsps']) : checkStreamAddress(address);
}
