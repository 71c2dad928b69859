// Sends measurements to the server every ten seconds and when the page is left. Reports do not identify the viewer
// (docs/reference/playback-reports.md).
import { type OutputReport, reportIntervalSeconds } from '@srs-stack/contract/values/viewers.ts';
import { watchPaths } from '@srs-stack/contract/watch-paths.ts';
import { onServer } from '../server-root.ts';
import type { NamedStream } from '../stream-of-source.ts';

/** Number of consecutive refused reports after which the page stops reporting. */
const maxRefusals = 3;

/** Whether the viewer has enabled Do Not Track or Global Privacy Control. */
export function hasOptedOut(where: Navigator = navigator): boolean {
  const { doNotTrack, globalPrivacyControl } = where as { doNotTrack?: string | null; globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}

/** Whether the operator wants reports, as set in the page or returned by the server. Never rejects. */
export async function isReportingOn(): Promise<boolean> {
  const setting = document.querySelector<HTMLMetaElement>('meta[name="viewer-reports"]')?.content;
  if (setting) return setting === 'on';
  try {
    const body: unknown = await (await fetch(onServer(watchPaths.reports))).json();
    return (body as { reports?: unknown }).reports === true;
  } catch {
    return false;
  }
}

export interface ReportSource {
  readonly name: NamedStream;
  take(): OutputReport[];
}

/** Collects and sends the data of all sources while the page is open. */
export class ReportSender {
  readonly #sources = new Set<ReportSource>();
  #refusals = 0;

  add(source: ReportSource): void {
    if (this.#sources.size === 0) this.#begin();
    this.#sources.add(source);
  }

  #begin(): void {
    setInterval(() => this.#send((body) => this.#post(body)), reportIntervalSeconds * 1000);
    // The last event that phones reliably deliver before a page closes (Page Visibility, §4.1).
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden')
        this.#send((body) => navigator.sendBeacon(onServer(watchPaths.reports), body));
    });
  }

  #send(deliver: (body: string) => void): void {
    if (this.#refusals >= maxRefusals) return;
    for (const { name, take } of this.#sources) {
      const outputs = take();
      if (outputs.length > 0) deliver(JSON.stringify({ ...name, outputs }));
    }
  }

  #post(body: string): void {
    fetch(onServer(watchPaths.reports), {
      method: 'POST',
      body,
      keepalive: true,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    }).then(
      ({ ok }) => {
        this.#refusals = ok ? 0 : this.#refusals + 1;
      },
      () => undefined,
    );
  }
}
