// Pulls from a source that listens for SRT and sends MPEG-TS to its callers.
import type { SrtTarget } from '@srs-stack/media/protocols/srt/srt-target.ts';
import { type CloseReason, rejectReason, SrtCall } from '@srs-stack/srt';
import type { MayContact } from '../../util/reach.ts';
import { failureOfError } from '../../util/socket-failure.ts';
import { srtAddresses } from '../../util/srt-addresses.ts';
import type { PullFailure } from './pull-status.ts';
import { neverRejects, type TsTransport, type TsTransportEvents } from './ts-transport.ts';

/** Default latency of an address, milliseconds, as in libsrt. */
const defaultLatencyMs = 120;

export class SrtTransport implements TsTransport {
  readonly type = 'srt-publish';
  readonly limits = { mediaMs: 15_000, stallMs: 10_000 };
  readonly isPaced = false;
  lostPackets = 0;
  readonly #target: SrtTarget;
  readonly #events: TsTransportEvents;
  #call: SrtCall | undefined;
  #isConnected = false;
  #isClosed = false;

  constructor(target: SrtTarget, mayContact: MayContact, events: TsTransportEvents) {
    this.#target = target;
    this.#events = events;
    srtAddresses(target.host, mayContact)
      .then((addresses) => this.#tryNext(addresses, { reason: 'host-unknown', detail: '' }))
      .catch((error: unknown) => this.#fail(failureOfError(error)));
  }

  tick(): void {}

  close(): void {
    this.#isClosed = true;
    this.#call?.close();
  }

  /** Calls the first address; calls the next address if there is no response. */
  #tryNext([address, ...others]: readonly string[], failure: PullFailure): void {
    if (this.#isClosed) return;
    if (address === undefined) {
      this.#fail(failure);
      return;
    }
    const { port, streamId, passphrase, keyLength, latencyMs = defaultLatencyMs } = this.#target;
    this.#call = new SrtCall(
      {
        ...{ address, port, streamId },
        ...{ receiverLatencyMs: latencyMs, senderLatencyMs: latencyMs },
        ...(passphrase !== undefined && { passphrase }),
        ...(keyLength !== undefined && { keyLength }),
      },
      {
        onConnected: () => this.#begin(address),
        onPayload: (payload) => this.#events.onPayload(payload),
        onLoss: (packets) => {
          this.lostPackets += packets;
          this.#events.onLoss(packets);
        },
        // After a refusal, other addresses are not called, because they belong to the same listener.
        onFailed: (code) => this.#tryNext(code === 0 ? others : [], failureOfRejection(code)),
        onError: (error) => this.#tryNext(this.#isConnected ? [] : others, failureOfError(error)),
        onClosed: (reason) => this.#fail(failureOfClose(reason)),
      },
    );
  }

  #begin(address: string): void {
    this.#isConnected = true;
    this.#events.onConnected(address).catch(neverRejects);
  }

  #fail(failure: PullFailure): void {
    if (!this.#isClosed) this.#events.onFailed(failure);
  }
}

/** The listener has stalled if it sends nothing, not even keep-alives. */
function failureOfClose(reason: CloseReason): PullFailure {
  if (reason === 'peer-timeout') return { reason: 'stalled', detail: '' };
  return { reason: 'connection-closed', detail: `SRT: ${reason}` };
}

/**
 * @param code rejection code on the wire; 0 without a response. libsrt reports application codes 1000 lower (SRT access control
 * guidelines).
 */
function failureOfRejection(code: number): PullFailure {
  if (code === 0) return { reason: 'timeout', detail: 'the source did not respond in time', fault: 'not-connected' };
  if (code === rejectReason.badSecret || code === rejectReason.unsecure) {
    return { reason: 'not-authorized', detail: 'the SRT passphrase is missing or wrong', fault: 'passphrase-refused' };
  }
  const detail = `the source refused the connection with SRT code ${code}`;
  if (code === rejectReason.notFound) return { reason: 'not-found', detail };
  const isAuth = code === rejectReason.unauthorized || code === rejectReason.forbidden;
  return { reason: isAuth ? 'not-authorized' : 'failed', detail };
}
