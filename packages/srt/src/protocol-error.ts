// A datagram breaks the protocol. The error ends at most the connection of this datagram.
export class SrtProtocolError extends Error {
  /** Byte offset in the datagram, if known. */
  readonly offset: number | undefined;
  constructor(reason: string, offset?: number) {
    super(reason);
    this.name = 'SrtProtocolError';
    this.offset = offset;
  }
}
