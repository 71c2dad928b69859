// Selects the media sections and payload types for the answer to an offer.
import { ProtocolError } from '../../protocol-error.ts';
import { chooseH264, chooseOpus } from './codec-choice.ts';
import type { SdpOffer, SdpPayload, SdpSection } from './sdp-offer.ts';

export interface PlannedMedia {
  readonly kind: 'video' | 'audio';
  readonly mid: string;
  readonly codec: 'h264' | 'opus';
  readonly payloadType: number;
  readonly format: string;
}

/** Formats that repair other formats and contain no media themselves. */
const repairCodecs = /^(RTX|RED|ULPFEC|FLEXFEC.*)$/;
/** Stereo in both directions (RFC 7587 §6.1). Without these parameters browsers send and play mono. */
const opusFormat = 'minptime=10;useinbandfec=1;stereo=1;sprop-stereo=1';

/**
 * Selects the sections for a publisher (`receive`) or player (`send`). `profileIdc` is the H.264 profile of the stream, or 0. Throws
 * ProtocolError when the offer has nothing usable.
 */
export function planMedia(offer: SdpOffer, direction: 'send' | 'receive', profileIdc = 0): PlannedMedia[] {
  if (!offer.isBundled) throw new ProtocolError('sdp', 'the offer must bundle its media (a=group:BUNDLE)');
  const video = find(offer, 'video', direction);
  const plans = [planVideo(video, profileIdc), planAudio(find(offer, 'audio', direction))];
  const isVideoExpected = direction === 'receive' || profileIdc > 0;
  if (video && !plans[0] && isVideoExpected) throw new ProtocolError('sdp', videoRefusal(video, direction));
  const used = plans.filter((plan) => plan !== undefined);
  if (used.length === 0) {
    throw new ProtocolError('sdp', 'the offer has neither H.264 video nor Opus audio');
  }
  return used;
}

/**
 * Returns the error message for video without a common codec. Such video is refused, because an audio-only session would hide the reason
 * from viewers.
 */
function videoRefusal({ payloads }: SdpSection, direction: 'send' | 'receive'): string {
  const names = [...new Set(payloads.map(({ codec }) => codec))].filter((codec) => !repairCodecs.test(codec));
  const offered = `video is offered in ${names.slice(0, 4).join(', ') || 'no codec'}`;
  return direction === 'receive'
    ? `${offered}: set the encoder to H.264`
    : `${offered}, but the stream is H.264: use another browser, or play it over HTTP-FLV or HLS`;
}

function find(offer: SdpOffer, kind: 'video' | 'audio', direction: 'send' | 'receive'): SdpSection | undefined {
  const excluded = direction === 'receive' ? 'recvonly' : 'sendonly';
  return offer.sections.find(
    (section) =>
      section.kind === kind && section.hasRtcpMux && section.direction !== excluded && section.direction !== 'inactive',
  );
}

function planVideo(section: SdpSection | undefined, profileIdc: number): PlannedMedia | undefined {
  const payload = section && chooseH264(section.payloads, profileIdc);
  if (!section || !payload) return undefined;
  return toPlan(section, payload, 'h264', payload.format);
}

function planAudio(section: SdpSection | undefined): PlannedMedia | undefined {
  const payload = section && chooseOpus(section.payloads);
  return section && payload && toPlan(section, payload, 'opus', opusFormat);
}

function toPlan(
  section: SdpSection,
  { payloadType }: SdpPayload,
  codec: 'h264' | 'opus',
  format: string,
): PlannedMedia {
  return { kind: section.kind === 'video' ? 'video' : 'audio', mid: section.mid, codec, payloadType, format };
}
