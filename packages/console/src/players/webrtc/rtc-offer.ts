// Starts a WHIP (RFC 9725) or WHEP session: peer connection, offer, answer. Separate from `rtc-session.ts`, so that pages can connect
// before the player has loaded.
import { problemOfResponse, type RtcProblem } from './rtc-problem.ts';
import { withStereoOpus } from './sdp-offer.ts';

export interface RtcOfferOptions {
  readonly url: string;
  /** Adds tracks or transceivers before the offer is created. `problemOf` explains thrown errors. */
  readonly prepare: (peer: RTCPeerConnection) => void;
  /** Modifies the server's answer before use. */
  readonly adjustAnswer?: (sdp: string) => string;
  /**
   * Sends the offer without waiting for candidates. Servers reply to the address from which STUN requests arrive (peer reflexive, RFC 8445
   * §7.3.1.3). Not for publishers: the port in their candidates lets the server find the stale session of a crashed browser.
   */
  readonly isHasty?: boolean;
}

export interface RtcOffer {
  readonly peer: RTCPeerConnection;
  /**
   * Resolves with the address that closes the session; undefined if the server sent none or the peer was closed meanwhile. Rejects with an
   * error that `problemOf` explains.
   */
  readonly answered: Promise<string | undefined>;
}

/** Maximum wait for the first candidate before the offer is sent, milliseconds. */
const candidateMs = 500;
/** Maximum wait for an answer, milliseconds. */
const timeoutMs = 10_000;

class Refused extends Error {
  readonly problem: RtcProblem;
  constructor(problem: RtcProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Converts an error. Checks the property instead of the class, because another bundle has its own `Refused` class. */
export function problemOf(error: unknown): RtcProblem {
  if (error instanceof Error && 'problem' in error) return (error as Refused).problem;
  return { kind: 'invalid', detail: error instanceof Error ? error.message : String(error) };
}

/** Adds receivers for video and audio to the offer. */
export function requestVideoAndAudio(peer: RTCPeerConnection): void {
  for (const kind of ['video', 'audio'] as const) peer.addTransceiver(kind, { direction: 'recvonly' });
}

/** Sends an offer. Throws if the browser does not support WebRTC. */
export function makeRtcOffer(options: RtcOfferOptions): RtcOffer {
  const peer = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
  const answered = negotiate(peer, options);
  // Avoids an unhandled rejection if no caller awaits the answer.
  answered.catch(() => undefined);
  return { peer, answered };
}

async function negotiate(peer: RTCPeerConnection, options: RtcOfferOptions): Promise<string | undefined> {
  const { url, prepare, adjustAnswer = (sdp) => sdp, isHasty = false } = options;
  const isClosed = () => peer.connectionState === 'closed';
  prepare(peer);
  const { sdp = '' } = await peer.createOffer();
  const candidate = isHasty ? undefined : firstCandidate(peer);
  const offer = withStereoOpus(sdp);
  const applied = peer.setLocalDescription({ type: 'offer', sdp: offer });
  // Avoids an unhandled rejection before `applied` is awaited below.
  if (isHasty) applied.catch(() => undefined);
  else await applied;
  await candidate;
  if (isClosed()) return undefined;
  const answer = await postOffer(url, isHasty ? offer : (peer.localDescription?.sdp ?? offer));
  try {
    await applied;
    if (!isClosed()) await peer.setRemoteDescription({ type: 'answer', sdp: adjustAnswer(answer.sdp) });
  } catch (error) {
    endRtcResource(answer.resource);
    throw error;
  }
  if (!isClosed()) return answer.resource;
  endRtcResource(answer.resource);
  return undefined;
}

function firstCandidate(peer: RTCPeerConnection): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, candidateMs);
    const check = ({ candidate }: { candidate?: RTCIceCandidate | null } = {}): void => {
      if (!candidate && peer.iceGatheringState !== 'complete') return;
      clearTimeout(timer);
      resolve();
    };
    peer.addEventListener('icecandidate', check);
    peer.addEventListener('icegatheringstatechange', () => check());
    check();
  });
}

async function postOffer(url: string, offer: string): Promise<{ sdp: string; resource: string | undefined }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/sdp' },
    body: offer,
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new Refused({ kind: 'network', detail: error instanceof Error ? error.message : '' });
  });
  const body = await response.text().catch(() => '');
  if (!response.ok) throw new Refused(problemOfResponse(response.status, body));
  const location = response.headers.get('Location');
  return { sdp: body, resource: location === null ? undefined : new URL(location, response.url || url).href };
}

/** Closes a session without waiting, even while the page unloads. If the request is lost, the server closes the silent session later. */
export function endRtcResource(resource: string | undefined): void {
  if (resource) fetch(resource, { method: 'DELETE', keepalive: true }).catch(() => {});
}
