// Selects payload types from an offer. H.264 packetization mode 1 is preferred over mode 0 (RFC 6184 §6.2). Then the profile of the
// stream or the next higher profile is preferred, because some decoders rely on the negotiated profile.
import type { SdpPayload } from './sdp-offer.ts';

/** Returns a parameter of an `a=fmtp` line. Names are case-insensitive (RFC 8866 §6.15). */
function formatParameter(payload: SdpPayload, name: string): string | undefined {
  for (const part of payload.format.split(';')) {
    const equals = part.indexOf('=');
    if (equals >= 0 && part.slice(0, equals).trim().toLowerCase() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

const baselineProfileIdc = 66;

/** profile_idc of `profile-level-id`. A missing value means baseline (RFC 6184 §8.1). */
function profileIdcOf(payload: SdpPayload): number {
  const value = formatParameter(payload, 'profile-level-id');
  const idc = value ? Number.parseInt(value.slice(0, 2), 16) : baselineProfileIdc;
  return Number.isNaN(idc) ? baselineProfileIdc : idc;
}

/** `profileIdc` is the profile of the stream to send, or 0. Returns undefined when the offer has no H.264. */
export function chooseH264(payloads: readonly SdpPayload[], profileIdc = 0): SdpPayload | undefined {
  // A missing parameter means mode 0 (RFC 6184 §8.1). Receivers of mode 0 also accept fragments.
  const inMode = (mode: string) =>
    payloads.filter(
      (payload) => payload.codec === 'H264' && (formatParameter(payload, 'packetization-mode') ?? '0') === mode,
    );
  return nearestProfile(inMode('1'), profileIdc) ?? nearestProfile(inMode('0'), profileIdc);
}

function nearestProfile(usable: readonly SdpPayload[], profileIdc: number): SdpPayload | undefined {
  const exact = usable.find((payload) => profileIdcOf(payload) === profileIdc);
  if (exact) return exact;
  const atLeast = usable.filter((payload) => profileIdcOf(payload) >= profileIdc);
  return atLeast.sort((a, b) => profileIdcOf(a) - profileIdcOf(b))[0] ?? usable[0];
}

/** Opus is always announced as 48 kHz with two channels (RFC 7587 §4.1). */
export function chooseOpus(payloads: readonly SdpPayload[]): SdpPayload | undefined {
  return payloads.find((payload) => payload.codec === 'OPUS' && payload.clockRate === 48_000);
}
