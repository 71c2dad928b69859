// A datagram that breaks the protocol. It ends at most the connection it belongs to.
export class SrtProtocolError extends Error {
  /** Byte offset in the datagram, when known. */
  readonly offset: number | undefined;
  constructor(reason: string, offset?: number) {
    super(reason);
    this.name = 'SrtProtocolError';
    this.offset = offset;
  }
}
