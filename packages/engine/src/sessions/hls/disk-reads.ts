// Limits responses that are read from disk while they are sent, because each keeps a file open. A response to a stalled client is ended. A
// place is taken only after the file was opened, so waiting requests use no place.
import type { ServerResponse } from 'node:http';
import { addressGroup } from '@srs-stack/process/ip-address.ts';

/** Maximum number of simultaneous responses. A service can usually open 65,536 files. */
const defaultMaxReads = 4_096;
/** Maximum per address group: enough for a router or proxy with a thousand players. */
const defaultMaxPerAddress = 1_024;
/** A client that takes no data between two checks at this interval is disconnected, milliseconds. */
const defaultStallMs = 30_000;

export class DiskReads {
  readonly #limits: { readonly maxReads: number; readonly maxPerAddress: number; readonly stallMs: number };
  readonly #byGroup = new Map<string, number>();
  #count = 0;

  constructor({ maxReads = defaultMaxReads, maxPerAddress = defaultMaxPerAddress, stallMs = defaultStallMs } = {}) {
    this.#limits = { maxReads, maxPerAddress, stallMs };
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Takes a place until the response is closed. Returns false, without touching the response, if no place is free or the response is
   * closed.
   */
  begin(response: ServerResponse, ip: string): boolean {
    const group = addressGroup(ip);
    const ofGroup = this.#byGroup.get(group) ?? 0;
    const { maxReads, maxPerAddress } = this.#limits;
    if (response.destroyed || this.#count >= maxReads || ofGroup >= maxPerAddress) return false;
    this.#count++;
    this.#byGroup.set(group, ofGroup + 1);
    const watch = this.#endWhenStalled(response);
    response.once('close', () => {
      clearInterval(watch);
      this.#count--;
      const left = this.#byGroup.get(group)! - 1;
      if (left === 0) this.#byGroup.delete(group);
      else this.#byGroup.set(group, left);
    });
    return true;
  }

  #endWhenStalled(response: ServerResponse): NodeJS.Timeout {
    let seenBytes = -1;
    return setInterval(() => {
      const sentBytes = takenBytes(response);
      if (sentBytes === seenBytes) response.destroy();
      seenBytes = sentBytes;
    }, this.#limits.stallMs).unref();
  }
}

/** Number of bytes that the kernel has accepted for the client. */
function takenBytes({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}
