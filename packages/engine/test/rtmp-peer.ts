// A raw RTMP peer on a TCP socket, which can do what no ordinary client does: stop reading, send garbage, be slow.
import { connect, type Socket } from 'node:net';
import { ServerBytes } from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';

export class RtmpPeer {
  readonly server = new ServerBytes();
  readonly socket: Socket;
  readonly closed: Promise<void>;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (data) => this.server.push(data));
    this.socket.on('error', () => {}); // a reset also counts as refused
    this.closed = new Promise((resolve) => this.socket.on('close', () => resolve()));
  }

  send(...parts: Buffer[]): void {
    this.socket.write(Buffer.concat(parts));
  }

  close(): Promise<void> {
    this.socket.destroy();
    return this.closed;
  }
}
