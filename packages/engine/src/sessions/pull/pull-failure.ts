// Selects the tracks to pull, and finds the reason of a failed attempt.
import type { PullOutcome } from '@srs-stack/media/protocols/rtsp/rtsp-pull-client.ts';
import type { AnnouncedMedia } from '@srs-stack/media/protocols/sdp/announced-media.ts';
import type { PullFailure } from './pull-status.ts';

/** The first supported video track and the first supported audio track. */
export function tracksToPull(media: readonly AnnouncedMedia[]): number[] {
  const indexes = (['video', 'audio'] as const).map((kind) => media.findIndex((each) => each.kind === kind));
  return indexes.filter((index) => index >= 0).sort((a, b) => a - b);
}

/** Refuses a camera with unsupported video, even if its audio is supported. Undefined if the pull can start. */
export function codecFailure(media: readonly AnnouncedMedia[]): PullFailure | undefined {
  const isCarried = media.some(({ kind }) => kind === 'video');
  const names = media.flatMap((each) => (each.kind === 'unsupported' && each.isVideo ? [each.name] : []));
  if (!isCarried && names.length > 0) {
    const remedy = 'set the camera to H.264 or HEVC';
    const subject = names.join(', ');
    const detail = `${subject} video is not supported: ${remedy}`;
    return { reason: 'codec-unsupported', detail, fault: 'video-unsupported', subject };
  }
  if (tracksToPull(media).length > 0) return undefined;
  const detail = 'the source offers no supported media';
  return { reason: 'codec-unsupported', detail, fault: 'no-media' };
}

/** Codecs of the source that are dropped; '' if none. */
export function leftOutOf(media: readonly AnnouncedMedia[]): string {
  return media.flatMap((each) => (each.kind === 'unsupported' ? [each.name] : [])).join(', ');
}

/** @param isUdp whether media was requested over UDP. */
export function failureOfOutcome(outcome: Exclude<PullOutcome, { kind: 'redirect' }>, isUdp: boolean): PullFailure {
  if (outcome.kind === 'unauthorized') {
    const { cause } = outcome;
    return { reason: 'not-authorized', detail: authorizationDetails[cause], fault: cause };
  }
  const { method, status, reason } = outcome;
  const detail = `${method}: ${status} ${reason}`.trim();
  if (status === 404) return { reason: 'not-found', detail };
  if (status === 403) return { reason: 'not-authorized', detail };
  if (status === 461) return { reason: 'failed', detail, fault: isUdp ? 'no-udp' : 'no-tcp' };
  return { reason: 'failed', detail };
}

/** Failure of a public source that redirects to a private network. */
export function leadsInward(host: string): PullFailure {
  return {
    reason: 'address-refused',
    detail: `the source redirects to ${host} in a private network, which is not allowed`,
    fault: 'leads-inward',
    subject: host,
  };
}

const authorizationDetails = {
  'credentials-missing': 'the source requires a user name and a password',
  'credentials-refused': 'the source refuses the user name or password',
  'scheme-unknown': 'the source offers neither Basic nor Digest authentication',
} as const;
