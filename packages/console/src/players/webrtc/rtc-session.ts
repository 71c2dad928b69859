// A WHIP (RFC 9725) or WHEP session from offer to close. Never retries.
import { endRtcResource, makeRtcOffer, problemOf, type RtcOffer, type RtcOfferOptions } from './rtc-offer.ts';
import type { RtcProblem } from './rtc-problem.ts';

export interface RtcSessionOptions extends RtcOfferOptions {
  /** Session to continue, started earlier for this address and media. `prepare` is then not called. */
  readonly begun?: RtcOffer | undefined;
  /** Called once, when media can flow. */
  readonly onConnected: () => void;
  /** Called at most once, when the session ends without a call of `close`. */
  readonly onProblem: (problem: RtcProblem) => void;
}

export interface RtcSession {
  readonly peer: RTCPeerConnection;
  /** Closes the session and notifies the server, even while the page unloads. Idempotent. */
  close(): void;
}

/** Maximum time from the answer to the connection over UDP, milliseconds. */
const connectMs = 12_000;
/** Time for an interrupted connection to recover, milliseconds. */
const recoverMs = 5_000;

export function startRtcSession(options: RtcSessionOptions): RtcSession {
  const { begun, onConnected, onProblem } = options;
  const { peer, answered } = begun ?? makeRtcOffer(options);
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
    endRtcResource(resource);
    if (problem) onProblem(problem);
  };
  // A page restored from the back/forward cache starts a new session, because this session ends when the page is hidden.
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

  const follow = async (): Promise<void> => {
    resource = await answered;
    if (isOver) return endRtcResource(resource);
    if (!wasConnected) endIn(connectMs, { kind: 'media-path', detail: 'no response over UDP' });
    // Called immediately, because an earlier session may already be connected.
    onStateChange();
    watchClose(peer, () => end({ kind: 'ended', detail: '' }));
  };

  peer.addEventListener('connectionstatechange', onStateChange);
  window.addEventListener('pagehide', onPageHide);
  follow().catch((error: unknown) => end(problemOf(error)));
  return { peer, close: () => end() };
}

/** Detects the server's DTLS close message. The connection state would change much later. */
function watchClose(peer: RTCPeerConnection, onClose: () => void): void {
  const transport = peer.getTransceivers().map(({ receiver }) => receiver.transport)[0];
  const look = (): void => {
    if (transport?.state === 'closed' || transport?.state === 'failed') onClose();
  };
  transport?.addEventListener('statechange', look);
  look();
}
