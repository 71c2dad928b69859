// One WHIP (RFC 9725) or WHEP session: offer, answer, connection, farewell. Ends once, with the reason; never retries.
import { problemOfAnswer, type RtcProblem } from './rtc-problem.ts';
import { withStereoOpus } from './sdp-offer.ts';

export interface RtcSessionOptions {
  /** Where the offer is sent: http(s). */
  readonly url: string;
  /** Adds what is sent or wanted; called before the offer is made. May throw what `toProblem` of the caller explains. */
  readonly prepare: (peer: RTCPeerConnection) => void;
  /** Changes the answer before it is applied. */
  readonly adjustAnswer?: (sdp: string) => string;
  /** Media can flow. Called once. */
  readonly onConnected: () => void;
  /** The session is over for another reason than `close`. Called at most once. */
  readonly onProblem: (problem: RtcProblem) => void;
}

export interface RtcSession {
  readonly peer: RTCPeerConnection;
  /** Ends the session and tells the server, also while the page is being left. Idempotent. */
  close(): void;
}

/** Waiting longer for candidates gains nothing: the server is reached by its own addresses, milliseconds. */
const gatheringMs = 500;
/** An offer without an answer by then is given up, milliseconds. */
const answerMs = 10_000;
/** After the answer, media must find its way within this time, milliseconds. */
const connectMs = 12_000;
/** A connection that breaks may come back by itself within this time, milliseconds. */
const recoverMs = 5_000;

class Refused extends Error {
  readonly problem: RtcProblem;
  constructor(problem: RtcProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export function startRtcSession(options: RtcSessionOptions): RtcSession {
  const { url, prepare, adjustAnswer = (sdp) => sdp, onConnected, onProblem } = options;
  const peer = new RTCPeerConnection({ bundlePolicy: 'max-bundle' });
  let resource: string | undefined;
  let isOver = false;
  let wasConnected = false;
  let deadline: ReturnType<typeof setTimeout> | undefined;

  const end = (problem?: RtcProblem): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(deadline);
    window.removeEventListener('pagehide', onPageHide);
    peer.close();
    if (resource !== undefined) deleteResource(resource);
    if (problem) onProblem(problem);
  };
  // A page that comes back from the browser's cache finds its session ended and starts another.
  const onPageHide = (): void => end({ kind: 'lost', detail: 'the page was left' });
  const endIn = (ms: number, problem: RtcProblem): void => {
    clearTimeout(deadline);
    deadline = setTimeout(() => end(problem), ms);
  };

  const onStateChange = (): void => {
    if (isOver) return;
    switch (peer.connectionState) {
      case 'connected':
        clearTimeout(deadline);
        if (!wasConnected) onConnected();
        wasConnected = true;
        return;
      case 'disconnected':
        endIn(recoverMs, { kind: 'lost', detail: 'the connection broke' });
        return;
      case 'failed':
        end({ kind: wasConnected ? 'lost' : 'media-path', detail: 'the connection failed' });
    }
  };

  const negotiate = async (): Promise<void> => {
    prepare(peer);
    const { sdp = '' } = await peer.createOffer();
    await peer.setLocalDescription({ type: 'offer', sdp: withStereoOpus(sdp) });
    await gathered(peer);
    const answer = await postOffer(url, peer.localDescription?.sdp ?? sdp);
    resource = answer.resource;
    if (isOver) return deleteResource(resource ?? '');
    await peer.setRemoteDescription({ type: 'answer', sdp: adjustAnswer(answer.sdp) });
    if (!wasConnected) endIn(connectMs, { kind: 'media-path', detail: 'no answer over UDP' });
    watchFarewell(peer, () => end({ kind: 'ended', detail: '' }));
  };

  peer.addEventListener('connectionstatechange', onStateChange);
  window.addEventListener('pagehide', onPageHide);
  negotiate().catch((error: unknown) => end(toProblem(error)));
  return { peer, close: () => end() };
}

function toProblem(error: unknown): RtcProblem {
  if (error instanceof Refused) return error.problem;
  return { kind: 'invalid', detail: error instanceof Error ? error.message : String(error) };
}

function gathered(peer: RTCPeerConnection): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (peer.iceGatheringState === 'complete') resolve();
    };
    peer.addEventListener('icegatheringstatechange', check);
    setTimeout(resolve, gatheringMs);
    check();
  });
}

async function postOffer(url: string, offer: string): Promise<{ sdp: string; resource: string | undefined }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/sdp' },
    body: offer,
    cache: 'no-store',
    signal: AbortSignal.timeout(answerMs),
  }).catch((error: unknown) => {
    throw new Refused({ kind: 'network', detail: error instanceof Error ? error.message : '' });
  });
  const body = await response.text().catch(() => '');
  if (!response.ok) throw new Refused(problemOfAnswer(response.status, body));
  const location = response.headers.get('Location');
  return { sdp: body, resource: location === null ? undefined : new URL(location, response.url || url).href };
}

/** Best effort: a server that does not hear it ends the silent session by itself. */
function deleteResource(resource: string): void {
  if (resource !== '') fetch(resource, { method: 'DELETE', keepalive: true }).catch(() => {});
}

/** The server's farewell closes the encryption layer; the connection state alone would notice it much later. */
function watchFarewell(peer: RTCPeerConnection, onFarewell: () => void): void {
  const transport = peer.getTransceivers().map(({ receiver }) => receiver.transport)[0];
  transport?.addEventListener('statechange', () => {
    if (transport.state === 'closed' || transport.state === 'failed') onFarewell();
  });
}
