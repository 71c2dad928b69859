// The first half of a WHIP (RFC 9725) or WHEP session: peer connection, offer, answer. Separate from `rtc-session.ts`, so that a page can
// start it while its player still loads.
import { problemOfResponse, type RtcProblem } from './rtc-problem.ts';
import { withStereoOpus } from './sdp-offer.ts';

export interface RtcOfferOptions {
  /** Address that receives the offer: http(s). */
  readonly url: string;
  /** Adds tracks or transceivers; called before the offer is created. May throw errors that `toProblem` of the caller explains. */
  readonly prepare: (peer: RTCPeerConnection) => void;
  /** Changes the answer before it is applied. */
  readonly adjustAnswer?: (sdp: string) => string;
  /**
   * Sends the offer without candidates, before it is applied locally. Servers need no candidates: they reply to the address that requests
   * come from (peer reflexive, RFC 8445 §7.3.1.3). Only an offer with candidates names the browser's port, by which the server finds and
   * closes the session of a killed browser that used the same port.
   */
  readonly isHasty?: boolean;
}

export interface RtcOffer {
  readonly peer: RTCPeerConnection;
  /**
   * Settles when the answer is applied. Resolves with the address that closes the session, or undefined if the server sent none. If the
   * peer was closed meanwhile, ends the session and resolves with undefined. Rejects with errors that `problemOf` explains.
   */
  readonly answered: Promise<string | undefined>;
}

/** Longest wait for the first candidate before the offer is sent, milliseconds. */
const candidateMs = 500;
/** Longest wait for an answer, milliseconds. */
const timeoutMs = 10_000;

class Refused extends Error {
  readonly problem: RtcProblem;
  constructor(problem: RtcProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Why an offer failed. The error may come from another script with its own `Refused` class. */
export function problemOf(error: unknown): RtcProblem {
  if (error instanceof Error && 'problem' in error) return (error as Refused).problem;
  return { kind: 'invalid', detail: error instanceof Error ? error.message : String(error) };
}

/** Requests video and audio. */
export function requestVideoAndAudio(peer: RTCPeerConnection): void {
  for (const kind of ['video', 'audio'] as const) peer.addTransceiver(kind, { direction: 'recvonly' });
}

/** Starts immediately. Throws if the browser has no WebRTC. */
export function makeRtcOffer(options: RtcOfferOptions): RtcOffer {
  const peer = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
  const answered = negotiate(peer, options);
  // Avoids an unhandled rejection if nothing takes over the offer; its consumer handles the error.
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
  // A rejection is handled below, where `applied` is awaited after the response.
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

/**
 * Closes a session, without waiting and also while the page is being left. A server that does not receive the request closes the silent
 * session by itself.
 */
export function endRtcResource(resource: string | undefined): void {
  if (resource) fetch(resource, { method: 'DELETE', keepalive: true }).catch(() => {});
}
