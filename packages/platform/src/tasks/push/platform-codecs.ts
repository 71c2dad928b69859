// Platforms that document fewer codecs than RTMP supports. A stream is not started if its platform would refuse it or show only black.
import { type TargetTest, toWirePhrase, workerDetail } from '@srs-stack/contract';
import { checkAddress, pushSchemes } from '../../network/address-rule.ts';
import type { PlanResult } from '../../workers/worker-plan.ts';

/** Hosts (by suffix) of platforms that document H.264 as the only video codec over RTMP. */
const h264Only: readonly string[] = [
  // Twitch accepts HEVC only from encoders of its beta program.
  ...['live.twitch.tv', 'contribute.live-video.net'],
  // Kick uses Amazon IVS.
  'live-video.net',
  ...['rtmp-api.facebook.com', 'live-api-s.facebook.com', 'live-upload.instagram.com'],
  ...['rtmp.linkedin.com', 'channel.media.azure.net'],
  ...['pscp.tv', 'prod.pscp.tv'],
];

/** FourCC of the Enhanced RTMP codec list, by codec in the media server's naming. */
const fourCcOfCodec: Readonly<Record<string, string>> = {
  H264: 'avc1',
  HEVC: 'hvc1',
  AV1: 'av01',
  VP9: 'vp09',
  VP8: 'vp08',
};

/** Whether the target supports the codec, according to the documentation of the platform and the announcement of the target. */
export function codecStepOf(
  address: string,
  codec: string,
  fourCcs: readonly string[] | undefined,
): Pick<TargetTest['steps'][number], 'state' | 'reason' | 'reasonDetail' | 'detail'> {
  if (codec === '') return { state: 'skipped' };
  const isAnnounced =
    codec === 'H264' || !fourCcs || fourCcs.includes('*') || fourCcs.includes(fourCcOfCodec[codec] ?? '');
  const { host } = checkAddress(address, pushSchemes);
  const known = codecRefused(address, codec);
  if (known?.kind !== 'fail' && isAnnounced) return { state: 'passed' };
  const detail = known?.kind === 'fail' ? known.detail : workerDetail('target-codec', { host, codec });
  return { state: 'failed', reason: 'codec-unsupported', reasonDetail: detail.text, detail: toWirePhrase(detail) };
}

/**
 * Why a target is not started. Undefined if the platform accepts the codec or is unknown.
 * @param codec in the media server's naming, e.g. `HEVC`; '' while unknown.
 */
export function codecRefused(address: string, codec: string): PlanResult | undefined {
  if (codec === '' || codec === 'H264') return undefined;
  const { host, scheme } = checkAddress(address, pushSchemes);
  const name = host.toLowerCase();
  if (scheme === 'srt' || !h264Only.some((each) => name === each || name.endsWith(`.${each}`))) return undefined;
  const detail = workerDetail('target-codec', { host, codec });
  return { kind: 'fail', reason: 'codec-unsupported', detail, needsOperator: true };
}
