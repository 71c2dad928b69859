// Cookies prove without stored state that a caller receives packets at its address (draft-sharabayko-srt-01 §4.3.1.1). A cookie is a keyed
// hash of address, port and minute.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const cookieMinuteUs = 60_000_000;

export interface RemoteAddress {
  readonly address: string;
  readonly port: number;
}

export class SynCookies {
  readonly #secret: Buffer;
  readonly #offsetUs: number;

  /** @param offsetUs added to every `nowUs`, so that several processes have the same time. */
  constructor(secret: Buffer = randomBytes(32), offsetUs = 0) {
    this.#secret = secret;
    this.#offsetUs = offsetUs;
  }

  issue(remote: RemoteAddress, nowUs: number): number {
    return this.#compute(remote, this.#minuteOf(nowUs)).readUInt32BE(0);
  }

  /** Accepts the cookies of the current and the previous minute. */
  verify(cookie: number, remote: RemoteAddress, nowUs: number): boolean {
    const given = Buffer.allocUnsafe(4);
    given.writeUInt32BE(cookie);
    const minute = this.#minuteOf(nowUs);
    return [minute, minute - 1].some((candidate) => timingSafeEqual(this.#compute(remote, candidate), given));
  }

  #minuteOf(nowUs: number): number {
    return Math.floor((nowUs + this.#offsetUs) / cookieMinuteUs);
  }

  #compute(remote: RemoteAddress, minute: number): Buffer {
    const hash = createHmac('sha256', this.#secret).update(`${remote.address}|${remote.port}|${minute}`).digest();
    return hash.subarray(0, 4);
  }
}
