// Decides whether the media server itself can send to a target, and creates the order.
import { parsePublishAddress } from '@srs-stack/media/protocols/rtmp/publish-address.ts';
import { parseSrtTarget } from '@srs-stack/media/protocols/srt/srt-target.ts';
import { joinAddress, schemeOf } from '../../workers/ffmpeg-args/address.ts';
import type { PushWish } from '../../workers/transfers/engine-transfers.ts';

/** SRT address options that the media server supports or may ignore. FFmpeg sends to addresses with other options. */
const srtOptions = new Set([
  ...['streamid', 'passphrase', 'pbkeylen', 'latency', 'peerlatency', 'rcvlatency', 'mode', 'pkt_size', 'payload_size'],
  ...['timeout', 'connect_timeout', 'transtype', 'tlpktdrop', 'linger', 'maxbw', 'inputbw', 'oheadbw'],
]);

/** Whether the media server supports or may ignore every option of this SRT address. */
export function isEngineSrtAddress(address: string): boolean {
  const names = [...address.matchAll(/[?&]([a-z_]+)=/gi)].map(([, name = '']) => name.toLowerCase());
  const isFile = /[?&]transtype=(?!live(?:&|$))/i.test(address);
  return !isFile && names.every((name) => srtOptions.has(name)) && parseSrtTarget(address) !== undefined;
}

/** Undefined if FFmpeg must send. */
export function toPushWish(
  target: { readonly server: string; readonly secret: string; readonly delaySeconds?: number | undefined },
  source: { readonly vhost: string; readonly app: string; readonly stream: string },
): PushWish | undefined {
  const { vhost, app, stream } = source;
  const to = schemeOf(target.server) === 'srt' ? srtTarget(target) : rtmpTarget(target);
  return to && { vhost, app, stream, ...to, delaySeconds: target.delaySeconds ?? 0 };
}

function rtmpTarget({
  server,
  secret,
}: {
  server: string;
  secret: string;
}): Pick<PushWish, 'server' | 'key'> | undefined {
  const address = parsePublishAddress(server, secret);
  return address && address.streamName !== '' ? { server, key: secret } : undefined;
}

function srtTarget({
  server,
  secret,
}: {
  server: string;
  secret: string;
}): Pick<PushWish, 'server' | 'key'> | undefined {
  const address = joinAddress(server, secret);
  return isEngineSrtAddress(address) ? { server: address, key: '' } : undefined;
}
