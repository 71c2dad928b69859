// Relays playback reports of viewers that other gateways have. Collects reports briefly and sends a batch to one gateway after the other.
// Each gateway keeps the reports of its viewers.
import type { IncomingMessage } from 'node:http';
import { isObject } from '@srs-stack/contract/wire/lenient.ts';
import type { ViewerResults } from '@srs-stack/contract/wire/srs-rows.ts';
import { everybody } from '@srs-stack/process/turn-queue.ts';
import { addressKey } from '../front/limits/address-key.ts';
import { toViewerReport } from '../viewers/viewer-report.ts';
import type { SentReport, ViewerReports } from '../viewers/viewer-reports.ts';
import type { SiblingLink } from './sibling-link.ts';
import { siblingCall, siblingPaths } from './sibling-paths.ts';

/** Time for which reports are collected, milliseconds. */
const gatherMs = 500;
/**
 * Maximum number of queued reports, about 1 KB each. Above this number, reports are dropped. 40,000 viewers send 4,000 reports per second.
 */
const maxWaiting = 4_000;
/** Maximum number of queued reports per address, because senders are not authenticated: one full call, enough for 5,000 viewers. */
const maxWaitingPerAddress = 500;
/** Maximum number of reports in one call. */
const maxPerCall = 500;
/** Maximum size of the body of a call, bytes, in both directions: enough for `maxPerCall` reports of maximum size. */
const maxCallBytes = 4 * 1024 * 1024;

/**
 * Sends reports to another gateway. Resolves with the positions of reports whose viewers this gateway does not have. Rejects without a
 * response.
 */
export type OfferReports = (reports: readonly SentReport[]) => Promise<readonly number[]>;

export interface ReportRelayOptions {
  readonly others: () => readonly OfferReports[];
  readonly refuse: (result: Exclude<keyof ViewerResults, 'accepted'>) => void;
}

export class ReportRelay {
  readonly #options: ReportRelayOptions;
  #waiting: SentReport[] = [];
  readonly #byAddress = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #isSending = false;

  constructor(options: ReportRelayOptions) {
    this.#options = options;
  }

  /** Returns false without other gateways, or when the queue is full. */
  push(sent: SentReport): boolean {
    const key = addressKey(sent.ip);
    const ofAddress = this.#byAddress.get(key) ?? 0;
    const isFull = this.#waiting.length >= maxWaiting || (key !== everybody && ofAddress >= maxWaitingPerAddress);
    if (isFull || this.#options.others().length === 0) return false;
    this.#waiting.push(sent);
    this.#byAddress.set(key, ofAddress + 1);
    this.#sendSoon();
    return true;
  }

  /** Idempotent. */
  close(): void {
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#byAddress.clear();
  }

  #sendSoon(): void {
    if (this.#isSending || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#isSending = true;
      this.#send()
        .catch(() => undefined)
        .finally(() => {
          this.#isSending = false;
          if (this.#waiting.length > 0) this.#sendSoon();
        });
    }, gatherMs).unref();
  }

  async #send(): Promise<void> {
    let left = this.#waiting.splice(0, maxPerCall);
    for (const { ip } of left) this.#leave(addressKey(ip));
    for (const offer of this.#options.others()) {
      if (left.length === 0) return;
      const batch = left;
      // An unavailable gateway counts as a gateway without these viewers.
      const unknown = await offer(batch).catch(() => batch.map((_, position) => position));
      left = unknown.flatMap((position) => batch[position] ?? []);
    }
    for (const _ of left) this.#options.refuse('unknown');
  }

  #leave(key: string): void {
    const count = (this.#byAddress.get(key) ?? 1) - 1;
    if (count === 0) this.#byAddress.delete(key);
    else this.#byAddress.set(key, count);
  }
}

/** Sends a call with reports to one gateway. */
export async function offerReports(
  link: Pick<SiblingLink, 'call'>,
  reports: readonly SentReport[],
): Promise<readonly number[]> {
  const body = JSON.stringify(reports);
  const response = await link.call(siblingCall(siblingPaths.reports), { method: 'POST' }, false, body);
  const unknown = await jsonOf(response);
  if (response.statusCode !== 200 || !Array.isArray(unknown))
    throw new Error('the other gateway sent an invalid response to playback reports');
  return unknown.filter((position) => Number.isInteger(position));
}

/** Handles reports from another gateway. Returns the positions of reports whose viewers are not here. Throws for an invalid list. */
export async function takeOffered(
  request: IncomingMessage,
  reports: Pick<ViewerReports, 'take' | 'refuse'>,
): Promise<number[]> {
  const offered = await jsonOf(request);
  if (!Array.isArray(offered)) throw new Error('the call of another gateway contains no list of playback reports');
  return offered.flatMap((each, position) => {
    const parsed = isObject(each) ? toViewerReport(each.report) : undefined;
    if (!isObject(each) || !parsed?.ok || typeof each.ip !== 'string') {
      reports.refuse('invalid');
      return [];
    }
    return reports.take({ ip: each.ip, report: parsed.report }) === 'unknown' ? [position] : [];
  });
}

async function jsonOf(message: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxCallBytes) throw new Error('the playback reports of another gateway exceed the size limit');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
