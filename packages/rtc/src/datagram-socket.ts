// A UDP socket that sends several datagrams to one peer with few system calls. Sockets of Node.js need a system call for each datagram.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { loadAddon, type RtcAddon } from './native-addon.ts';
import { withSystemCode } from './system-code.ts';

const maxDatagrams = 64;

/**
 * Sends at most 64 datagrams. Returns the number of sent or lost datagrams, counted from the first. The caller must pass the remaining
 * datagrams again later.
 */
export type SendDatagrams = (datagrams: readonly Buffer[]) => number;

export class DatagramSocket {
  /** Socket for receiving. `close` closes this socket too. */
  readonly socket: Socket;
  readonly #addon: RtcAddon;
  readonly #fd: number;
  readonly #isIpv6: boolean;
  #isClosed = false;

  private constructor(addon: RtcAddon, socket: Socket, { fd, isIpv6 }: { fd: number; isIpv6: boolean }) {
    this.#addon = addon;
    this.socket = socket;
    this.#fd = fd;
    this.#isIpv6 = isIpv6;
    socket.once('close', () => {
      this.#isClosed = true;
    });
  }

  /**
   * Binds a socket. Without a host, binds all addresses; port 0 is any free port. Rejects with the system error, or when the addon cannot
   * be loaded.
   */
  static async open({ host = '', port }: { readonly host?: string; readonly port: number }): Promise<DatagramSocket> {
    const addon = loadAddon();
    const opened = withSystemCode({ host, port }, () => addon.openDatagrams(host, port));
    const socket = createSocket(opened.isIpv6 ? 'udp6' : 'udp4');
    // `bind` emits `listening` before it returns. From then on the socket owns the descriptor.
    const listening = once(socket, 'listening');
    socket.bind({ fd: opened.fd });
    await listening;
    return new DatagramSocket(addon, socket, opened);
  }

  /** Returns a function that sends to this address. Throws TypeError when this socket cannot reach the address. */
  sendTo(ip: string, port: number): SendDatagrams {
    const target = this.#addon.target(ip, port, this.#isIpv6);
    return (datagrams) => {
      if (this.#isClosed) return datagrams.length;
      const batch = datagrams.length > maxDatagrams ? datagrams.slice(0, maxDatagrams) : datagrams;
      return this.#addon.sendDatagrams(this.#fd, target, batch);
    };
  }

  /** Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    // After `close`, the system may reuse the descriptor for another file.
    this.#isClosed = true;
    this.socket.close();
  }
}
