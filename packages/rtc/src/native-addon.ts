// The native addon of the package (`native/`), built for this platform (`prebuilt/`). If there is none, or it fails to load, the package
// reports it and its caller selects another transport.
import { fileURLToPath } from 'node:url';

/** Opaque handle of a port in the addon. */
export type AddonHandle = { readonly brand: unique symbol };

/** Receives flat lists of all events of one wake-up. */
type AddonListener = (
  /**
   * Four entries each: the message (a Binding request for a session, or the response to our own request), IP address and port of its
   * sender, and the network path to the sender, which callers pass back unchanged.
   */
  checks: readonly (Buffer | string | number)[],
  /** Two entries each: session, `connected` or `closed`. */
  events: readonly (number | string)[],
  /** Two entries each: session, decrypted RTP or RTCP packet. */
  media: readonly (number | Buffer)[],
) => void;

export interface AddonCounters {
  readonly received: number;
  /** Datagrams that belong to no session, or are forged, repeated or malformed. */
  readonly ignored: number;
  readonly sent: number;
  /** System calls that sent the datagrams counted by `sent`. */
  readonly sendCalls: number;
  /** Not sent because the queues were full or the address is unreachable. */
  readonly dropped: number;
}

/** Encrypts packets and queues them. Returns the number of accepted packets, counted from the first. */
export type AddonSend = (session: number, packets: readonly Buffer[]) => number;

/** Results of `RtcAddon.reach`; `enum port_reached` of `native/port.h` explains them. */
export const addonReached = { not: 0, yes: 1, unproven: 2, contested: 3 } as const;

/** Functions of `native/addon.c`. Sessions are numbers, never 0. */
export interface RtcAddon {
  open(ip: string, port: number, listener: AddonListener): AddonHandle;
  port(handle: AddonHandle): number;
  fingerprint(handle: AddonHandle): Buffer;
  /**
   * `digests`: concatenated digests of accepted peer certificates. `ufrag` and `password`: credentials of the peer's checks; '' for none.
   * Returns 0 when the limit of sessions is reached.
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
  /** Reports a valid check; returns one of `addonReached`. */
  reach(handle: AddonHandle, session: number, path: Buffer, isNominated: boolean): number;
  /** The peer has responded to this side's check at that address: the address is verified, and media is sent there. */
  move(handle: AddonHandle, session: number, path: Buffer): void;
  /** Address that an ICE-lite peer announces, verified when it has returned a cookie. This side starts with the first such address. */
  expect(handle: AddonHandle, session: number, path: Buffer): void;
  /** Starts the handshake if this side is the client, after the response to the check was sent. */
  start(handle: AddonHandle, session: number): void;
  /** The path to an address, for a port that sends the first packet; the kernel selects the source address. */
  path(ip: string, port: number): Buffer;
  sendPlain(handle: AddonHandle, datagram: Buffer, path: Buffer): void;
  /** The send function of a port; throws when the port is closed. */
  sender(handle: AddonHandle): AddonSend;
  flush(handle: AddonHandle): void;
  /** A bound UDP socket; the caller closes the descriptor. */
  openDatagrams(ip: string, port: number): { readonly fd: number; readonly isIpv6: boolean };
  /** The address that a socket of the family sends to, for `sendDatagrams`. */
  target(ip: string, port: number, isIpv6: boolean): Buffer;
  /** At most 64 datagrams. Returns how many were sent or lost, counted from the first; the kernel's buffer is full for the rest. */
  sendDatagrams(fd: number, target: Buffer, datagrams: readonly Buffer[]): number;
  counters(handle: AddonHandle): AddonCounters;
  /** Returns free memory of the whole process to the system; takes milliseconds. */
  returnFreeMemory(): void;
  close(handle: AddonHandle): void;
}

/** Tests set another build of the addon, such as one with sanitizers. */
const chosenFile = process.env.SRS_STACK_RTC_ADDON;
let loaded: RtcAddon | Error | undefined;

/** The reason why this machine cannot load the addon; undefined when it can. */
export function addonProblem(): string | undefined {
  const addon = load();
  return addon instanceof Error ? addon.message : undefined;
}

/** Throws the system's error if the addon fails to load. */
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
