// `/watch/reports`: returns whether players send playback reports (GET), and accepts reports (POST, docs/reference/playback-reports.md).
// Callers are not authenticated, so a large or slow body is refused before anything is stored.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { parseViewerReport } from '../../viewers/viewer-report.ts';
import type { SentReport, ViewerReports } from '../../viewers/viewer-reports.ts';
import { collectCallBody } from '../http/call-body.ts';
import { sendFailure, sendText } from '../http/failure-response.ts';
import type { ForwardedResolver } from '../http/forwarded.ts';
import { setCommonHeaders } from '../http/response-headers.ts';
import { discardRest } from '../http/unread-body.ts';
import { addressKey } from '../limits/address-key.ts';
import { BodyMemory } from '../limits/body-memory.ts';
import { maxReportBytes, reportBodyMs, reportMemory } from '../limits/front-limits.ts';

export interface ReportCallOptions {
  readonly reports: Pick<ViewerReports, 'take' | 'refuse'>;
  readonly isOn: () => boolean;
  readonly forwarded: ForwardedResolver;
  /** Passes a report to the other gateways, which may have the viewer. Returns false without other gateways, or when the queue is full. */
  readonly handOver: (sent: SentReport) => boolean;
}

export type ReportCall = (request: IncomingMessage, response: ServerResponse) => void;

export function createReportCall(options: ReportCallOptions): ReportCall {
  const call = new PublicReportCall(options);
  return (request, response) => call.answer(request, response);
}

class PublicReportCall {
  readonly #options: ReportCallOptions;
  readonly #memory = new BodyMemory(reportMemory);

  constructor(options: ReportCallOptions) {
    this.#options = options;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const { isOn, reports } = this.#options;
    if (request.method === 'GET' || request.method === 'HEAD') this.#tellWhether(request, response);
    else if (request.method !== 'POST') this.#refuse(request, response, 405, 'Use GET or POST.');
    else if (!isOn()) this.#refuse(request, response, 404, 'Playback reports are disabled.');
    else if (Number(request.headers['content-length'] ?? 0) > maxReportBytes) {
      reports.refuse('invalid');
      this.#refuse(request, response, 413, `A report may have at most ${maxReportBytes} bytes.`);
    } else this.#collect(request, response);
  }

  #tellWhether(request: IncomingMessage, response: ServerResponse): void {
    setCommonHeaders(response);
    const body = JSON.stringify({ reports: this.#options.isOn() });
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  #collect(request: IncomingMessage, response: ServerResponse): void {
    const ip = plainAddress(this.#options.forwarded(request).for);
    const release = collectCallBody(request, {
      memory: this.#memory,
      key: addressKey(ip),
      timeoutMs: reportBodyMs,
      maxBytes: maxReportBytes,
      onComplete: (body) => {
        release();
        this.#judge(body.toString('utf8'), ip, response);
      },
      onRefused: (why) => {
        this.#options.reports.refuse(why === 'serverBusy' ? 'dropped' : 'invalid');
        sendFailure(response, why);
        discardRest(request);
      },
    });
  }

  #judge(text: string, ip: string, response: ServerResponse): void {
    const { reports, handOver } = this.#options;
    const parsed = parseViewerReport(text);
    if (!parsed.ok) {
      reports.refuse('invalid');
      sendText(response, 400, `The report is not valid: ${parsed.problem}.`);
      return;
    }
    const sent = { ip, report: parsed.report };
    const outcome = reports.take(sent);
    if (outcome === 'too-much')
      sendText(response, 429, 'The reports from this address cover more time than its viewers watched.');
    else if (outcome === 'accepted' || handOver(sent)) response.writeHead(204).end();
    else {
      reports.refuse('unknown');
      sendText(response, 403, 'No viewer at this address watches this stream.');
    }
  }

  #refuse(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
    sendText(response, status, text);
    discardRest(request);
  }
}
