// A UDP socket that sends several datagrams to one peer with one system call. A socket of Node.js needs one call for each.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { loadAddon, type RtcAddon } from './native-addon.ts';
import { withSystemCode } from './system-code.ts';

/** Maximum datagrams per call. */
const maxDatagrams = 64;

/** Returns how many datagrams were sent or lost, counted from the first; the kernel's buffer is full for the rest. */
export type SendDatagrams = (datagrams: readonly Buffer[]) => number;

export class DatagramSocket {
  /** Socket for receiving; `close` closes it. */
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

  /** Binds all addresses without a host, and any free port for 0. Rejects with the system error, or when the addon cannot be loaded. */
  static async open({ host = '', port }: { readonly host?: string; readonly port: number }): Promise<DatagramSocket> {
    const addon = loadAddon();
    const opened = withSystemCode({ host, port }, () => addon.openDatagrams(host, port));
    const socket = createSocket(opened.isIpv6 ? 'udp6' : 'udp4');
    // `bind` emits this event before it returns; the socket then owns the descriptor.
    const listening = once(socket, 'listening');
    socket.bind({ fd: opened.fd });
    await listening;
    return new DatagramSocket(addon, socket, opened);
  }

  /** Throws TypeError for an address that this socket cannot reach. */
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
    // The system may reuse the descriptor for another file immediately.
    this.#isClosed = true;
    this.socket.close();
  }
}
