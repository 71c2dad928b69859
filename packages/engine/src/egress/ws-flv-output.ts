// WebSocket-FLV: the same bytes as HTTP-FLV in binary messages. The `ws` library does the handshake, answers pings and
// notices the close; the media frames are made once for all viewers and written beside it as whole frames.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { toRawFailure } from './http-answer.ts';
import type { HttpViewers } from './http-viewers.ts';
import type { MediaPath } from './media-path.ts';
import { toPlaySession } from './play-session.ts';

/** Players send nothing but control frames; the largest message taken, bytes. */
const maxMessageBytes = 4096;

export class WsFlvOutput {
  private readonly viewers: HttpViewers;
  // No compression: media does not shrink, and our frames are written past the library.
  private readonly server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
  });

  constructor(viewers: HttpViewers) {
    this.viewers = viewers;
  }

  /** Answers an upgrade request for `path`, whose extension is `flv`. */
  async handle(path: MediaPath, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const onEarlyError = (): void => {
      socket.destroy();
    };
    socket.on('error', onEarlyError);
    const session = toPlaySession('flv-play', path, request);
    const failure = await this.viewers.check(session);
    if (failure) {
      socket.end(toRawFailure(failure), () => socket.destroy());
      return;
    }
    if (socket.destroyed) {
      this.viewers.abandon(session);
      return;
    }
    // The handshake may still fail: then the session ends without having played.
    const onFailure = (): void => this.viewers.abandon(session);
    socket.once('close', onFailure);
    this.server.handleUpgrade(request, socket, head, (webSocket) => {
      socket.off('close', onFailure);
      webSocket.on('error', () => webSocket.terminate());
      this.viewers.play(session, socket, true);
    });
  }

  close(): void {
    this.server.close();
  }
}
