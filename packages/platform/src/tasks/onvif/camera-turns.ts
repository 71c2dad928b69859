// Takes turns with cameras: a few at a time, and a few orders for one of them, so that one that does not answer leaves the others their turns.
import { createPlaces, type Places } from '../../concurrency/places.ts';
import { onvifBusy } from './onvif-failure.ts';

/** Cameras that are contacted at the same time. */
const maxAtOnce = 8;
/** Orders of one camera that are not done. */
const maxOrders = 4;

export class CameraTurns {
  readonly #places: Places = createPlaces(maxAtOnce);
  /** Orders that are not done, by host and port. */
  readonly #orders = new Map<string, number>();

  /** Rejects when too many orders for this camera are not done. */
  async run<T>({ host, hostname }: URL, work: () => Promise<T>): Promise<T> {
    const before = this.#orders.get(host) ?? 0;
    if (before >= maxOrders) throw onvifBusy(hostname);
    this.#orders.set(host, before + 1);
    try {
      return await this.#places(work);
    } finally {
      const left = (this.#orders.get(host) ?? 1) - 1;
      if (left > 0) this.#orders.set(host, left);
      else this.#orders.delete(host);
    }
  }
}
