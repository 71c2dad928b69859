// WebSocket-FLV: the bytes of HTTP-FLV in binary messages. The `ws` library does the handshake, reads messages of players and detects the
// close. Media frames are made once for all viewers and written directly to the socket.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { toFailure, toRawFailure } from './http-responses.ts';
import type { HttpViewers } from './http-viewers.ts';
import type { MediaPath } from './media-path.ts';
import { toPlaySession } from './play-session.ts';
import { limitPeer } from './ws-peer-limits.ts';

/** Largest message from a player, bytes. Players send only control frames. */
const maxMessageBytes = 4096;

export class WsFlvServer {
  readonly #viewers: HttpViewers;
  // No compression: media does not shrink, and media frames are written without the library.
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    // Handles one frame per turn of the event loop, because a full read buffer has ten thousand.
    allowSynchronousEvents: false,
    autoPong: false,
  });

  constructor(viewers: HttpViewers) {
    this.#viewers = viewers;
  }

  async handle(path: MediaPath, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const onEarlyError = (): void => {
      socket.destroy();
    };
    socket.on('error', onEarlyError);
    const admission = await this.#viewers.admit(toPlaySession('flv-play', path, request));
    if (!admission.ok) {
      socket.end(toRawFailure(toFailure(admission)), () => socket.destroy());
      return;
    }
    const { play } = admission;
    if (socket.destroyed) {
      play.end();
      return;
    }
    // If the handshake fails, the session ends without having played.
    const onFailure = (): void => play.end();
    socket.once('close', onFailure);
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      socket.off('close', onFailure);
      webSocket.on('error', () => webSocket.terminate());
      limitPeer(webSocket, socket);
      this.#viewers.play(play, socket, true);
    });
  }

  close(): void {
    this.#server.close();
  }
}
