// State of one of several media servers: background polls while the server is unavailable, and a pending reload.
import { setTimeout as delay } from 'node:timers/promises';
import type { MediaServerStream } from './media-server.ts';
import type { MediaServerAddress } from './media-server-address.ts';
import { MissedResponses } from './missed-responses.ts';
import { RowRoles } from './row-roles.ts';
import { SrsHttpApi } from './srs-http-api.ts';

const probeIntervalMs = 500;

const unavailableReloadMs = 1_000;

export class ServerMember {
  readonly address: MediaServerAddress;
  readonly api: SrsHttpApi;
  readonly roles = new RowRoles();
  readonly streams = new MissedResponses<MediaServerStream[]>(() => performance.now());
  #probedAtMs = Number.NEGATIVE_INFINITY;
  /** Whether the server missed a reload while it was unavailable. */
  #owesReload = false;

  constructor(address: MediaServerAddress) {
    this.address = address;
    this.api = new SrsHttpApi(address);
  }

  /** Polls an unavailable server in the background. Reloads the server if it missed a reload. */
  pollUntilBack(): void {
    if (!this.api.isUnavailable && !this.#owesReload) return;
    if (performance.now() - this.#probedAtMs < probeIntervalMs) return;
    this.#probedAtMs = Number.POSITIVE_INFINITY;
    const done = () => {
      this.#probedAtMs = performance.now();
    };
    this.streams.note(this.api.listStreams()).then(() => this.#catchUp().then(done, done), done);
  }

  /** Reloads the server. Never rejects. Waits at most `unavailableReloadMs` for an unavailable server. */
  async reload(): Promise<'done' | 'away' | Error> {
    const wasUnavailable = this.api.isUnavailable;
    this.#owesReload = wasUnavailable;
    const reloaded = this.api.reload().then(
      () => {
        this.#owesReload = false;
        return 'done' as const;
      },
      (error: Error) => (wasUnavailable && this.api.isUnavailable ? ('away' as const) : error),
    );
    if (!wasUnavailable) return reloaded;
    return Promise.race([reloaded, delay(unavailableReloadMs, 'away' as const, { ref: false })]);
  }

  async #catchUp(): Promise<void> {
    if (!this.#owesReload) return;
    await this.api.reload();
    this.#owesReload = false;
  }
}
