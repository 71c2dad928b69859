// Limits concurrent requests to cameras, in total and per camera: an unresponsive camera must not block other cameras.
import { createPlaces, type Places } from '../../concurrency/places.ts';
import { onvifBusy } from './onvif-failure.ts';

/** Maximum number of concurrent requests to all cameras. */
const maxAtOnce = 8;
/** Maximum number of pending requests of operators per camera. */
const maxOrders = 4;

export class CameraTurns {
  readonly #places: Places = createPlaces(maxAtOnce);
  readonly #orders = new Map<string, number>();

  /** Waits for a turn, then runs work for a camera. Rejects if the camera has too many pending requests. */
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
