// Loads the native addon (`native/`) that was built for this platform (`prebuilt/`). If the addon is missing or fails to load,
// `addonProblem` reports the reason, and the caller uses another transport.
import { fileURLToPath } from 'node:url';

/** Opaque handle of a port. */
export type AddonHandle = { readonly brand: unique symbol };

/** Receives all events of one wakeup in flat lists. */
type AddonListener = (
  /**
   * Four entries per check: message, sender's IP address, sender's port, and the network path to the sender. The message is a Binding
   * request, or the response to this side's request. Callers pass the path back unchanged.
   */
  checks: readonly (Buffer | string | number)[],
  /** Two entries per event: session, `connected` or `closed`. */
  events: readonly (number | string)[],
  /** Two entries per packet: session, decrypted RTP or RTCP packet. */
  media: readonly (number | Buffer)[],
) => void;

export interface AddonCounters {
  readonly received: number;
  readonly ignored: number;
  readonly sent: number;
  readonly sendCalls: number;
  /** Packets that were not sent, because the queues were full or the address is unreachable. */
  readonly dropped: number;
}

/** Encrypts and queues packets. Returns the number of accepted packets, counted from the first. */
export type AddonSend = (session: number, packets: readonly Buffer[]) => number;

/** Results of `RtcAddon.reach`, as explained for `enum port_reached` in `native/port.h`. */
export const addonReached = { not: 0, yes: 1, unproven: 2, contested: 3 } as const;

/** Functions of `native/addon.c`. A session is a number other than 0. */
export interface RtcAddon {
  open(ip: string, port: number, listener: AddonListener): AddonHandle;
  port(handle: AddonHandle): number;
  fingerprint(handle: AddonHandle): Buffer;
  /**
   * Opens a session; returns 0 when the limit is reached or memory is exhausted. `digests`: concatenated digests of accepted peer
   * certificates. `ufrag` and `password`: credentials of the peer's checks; '' for none.
   */
  openSession(
    handle: AddonHandle,
    isServer: boolean,
    hash: string,
    digests: Buffer,
    ufrag: string,
    password: string,
  ): number;
  closeSession(handle: AddonHandle, session: number): void;
  reach(handle: AddonHandle, session: number, path: Buffer, isNominated: boolean): number;
  /** The peer has responded to this side's check at this address. The address is verified, and media goes there. */
  move(handle: AddonHandle, session: number, path: Buffer): void;
  /**
   * Announces the address of an ICE-lite peer, which the peer proves by returning a cookie. If this side is the client, it starts with the
   * first announced address.
   */
  expect(handle: AddonHandle, session: number, path: Buffer): void;
  /**
   * Starts the handshake, if this side is the client and an address is nominated. Call this function after the response to a check was sent
   * or received.
   */
  start(handle: AddonHandle, session: number): void;
  /** The path to an address, for a port that sends the first packet. The kernel selects the source address. */
  path(ip: string, port: number): Buffer;
  sendPlain(handle: AddonHandle, datagram: Buffer, path: Buffer): void;
  sender(handle: AddonHandle): AddonSend;
  flush(handle: AddonHandle): void;
  /** Opens a bound UDP socket, whose descriptor the caller closes. */
  openDatagrams(ip: string, port: number): { readonly fd: number; readonly isIpv6: boolean };
  /** The destination of `sendDatagrams` for this address and socket family. */
  target(ip: string, port: number, isIpv6: boolean): Buffer;
  /**
   * Sends at most 64 datagrams. Returns the number of sent or lost datagrams, counted from the first. If datagrams remain, the kernel's
   * queue is full, and the caller must pass the remaining datagrams again later.
   */
  sendDatagrams(fd: number, target: Buffer, datagrams: readonly Buffer[]): number;
  counters(handle: AddonHandle): AddonCounters;
  /** Returns unused memory of malloc and pages of Node's program file to the system. */
  returnFreeMemory(): void;
  close(handle: AddonHandle): void;
}

/** With this variable, tests load another build of the addon, e.g. with sanitizers. */
const chosenFile = process.env.SRS_STACK_RTC_ADDON;
let loaded: RtcAddon | Error | undefined;

/** The reason why the addon cannot be loaded; undefined if it can. */
export function addonProblem(): string | undefined {
  const addon = load();
  return addon instanceof Error ? addon.message : undefined;
}

/** Loads the addon. Throws the loader's error if this fails. */
export function loadAddon(): RtcAddon {
  const addon = load();
  if (addon instanceof Error) throw addon;
  return addon;
}

function load(): RtcAddon | Error {
  loaded ??= open(chosenFile ?? fileOf(process.platform, process.arch));
  return loaded;
}

function fileOf(platform: string, arch: string): string {
  return fileURLToPath(new URL(`../prebuilt/${platform}-${arch}.node`, import.meta.url));
}

function open(file: string): RtcAddon | Error {
  const module = { exports: {} as RtcAddon };
  try {
    process.dlopen(module, file);
    return module.exports;
  } catch (error) {
    return error as Error;
  }
}
