// WebRTC signalling (`/rtc/…`: WHIP, WHEP and the older calls) for every HTTP port. Signalling needs no credential, because callbacks
// authorize publishers and viewers.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Engine } from '@srs-stack/engine';
import { sendText } from '../http/failure-response.ts';
import type { ForwardedResolver } from '../http/forwarded.ts';
import { nameClient } from '../http/media-request.ts';
import { setCommonHeaders } from '../http/response-headers.ts';
import { sdpPath, withBearer } from './bearer-credential.ts';
import type { WebrtcAddresses } from './webrtc-addresses.ts';

export interface RtcCallsParts {
  readonly engine: Pick<Engine, 'handleRequest'>;
  readonly forwarded: ForwardedResolver;
  /** Adds the addresses at which WebRTC peers can reach this server. */
  readonly nameAddresses: WebrtcAddresses;
  /** The other gateways, which may have the session that a request ends. */
  readonly others?: { endRtcSession(path: string): Promise<number | undefined> } | undefined;
}

/** Media types that WHIP and WHEP accept, for OPTIONS requests (RFC 9725 §4.2). */
export function acceptPost(pathname: string | undefined): { 'Accept-Post'?: string } {
  return sdpPath.test(pathname ?? '') ? { 'Accept-Post': 'application/sdp' } : {};
}

export type RtcCalls = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createRtcCalls({ engine, forwarded, nameAddresses, others }: RtcCallsParts): RtcCalls {
  return async (request, response) => {
    setCommonHeaders(response);
    nameClient(request, forwarded(request));
    if (request.method === 'POST') {
      request.url = withBearer(request.url ?? '/', request.headers.authorization);
      const realHost = request.headers['x-real-host'];
      request.url = await nameAddresses(request.url, forwarded(request).host, realHost);
    }
    if (request.method === 'DELETE') {
      const refusal = await others?.endRtcSession(request.url ?? '/');
      if (refusal !== undefined) return sendText(response, refusal, 'The token does not belong to this session.');
    }
    if (!engine.handleRequest(request, response)) sendText(response, 404, 'No such WebRTC call.');
  };
}
