// The WebRTC library node-datachannel, in the version on which the package `engine` depends.
import { createRequire } from 'node:module';

type Library = typeof import('node-datachannel');

const engine = new URL('../../packages/engine/package.json', import.meta.url);
export const datachannel = createRequire(engine)('node-datachannel') as Library;

export const payloadType = { video: 102, audio: 111 } as const;
const h264Profile = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f';
const opusProfile = 'minptime=10;useinbandfec=1';
/** Timeout of candidate gathering, milliseconds. Local candidates are available immediately. */
const gatheringTimeoutMs = 5_000;

export type PeerConnection = InstanceType<Library['PeerConnection']>;
export type Track = ReturnType<PeerConnection['addTrack']>;
type Direction = 'SendOnly' | 'RecvOnly';

/** Descriptions of one H.264 track and one Opus track. */
export function mediaDescriptions(direction: Direction) {
  const video = new datachannel.Video('0', direction);
  const audio = new datachannel.Audio('1', direction);
  video.addH264Codec(payloadType.video, h264Profile);
  audio.addOpusCodec(payloadType.audio, opusProfile);
  return { video, audio };
}

/** The offer with all its candidates. @throws when gathering times out. */
export async function createOffer(connection: PeerConnection): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no local candidates')), gatheringTimeoutMs);
    const check = (state: string): void => {
      if (state !== 'complete') return;
      clearTimeout(timer);
      resolve();
    };
    connection.onGatheringStateChange(check);
    connection.setLocalDescription('offer' as Parameters<PeerConnection['setLocalDescription']>[0]);
    check(connection.gatheringState());
  });
  return connection.localDescription()?.sdp ?? '';
}

export interface Answer {
  readonly sdp: string;
  /** URL to DELETE the session. */
  readonly location: string | undefined;
}

/** Posts the offer of a WHIP or WHEP session. @throws with status and text when the server refuses the offer. */
export async function postOffer(url: string, offer: string, timeoutMs: number): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: offer,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const sdp = await response.text();
  if (response.status >= 300) throw new Error(`HTTP ${response.status} ${sdp.slice(0, 200)}`);
  const location = response.headers.get('location');
  return { sdp, location: location ? new URL(location, url).href : undefined };
}

/** Ends a session as a closing player does. An unreachable server is not an error. */
export async function deleteSession(location: string | undefined): Promise<void> {
  if (!location) return;
  await fetch(location, { method: 'DELETE', signal: AbortSignal.timeout(5_000) })
    .then((response) => response.arrayBuffer())
    .catch(() => undefined);
}
