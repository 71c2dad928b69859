// One of several media servers: its state between calls, background polls while it is unavailable, and its pending reload. `MediaServers`
// calls it.
import { setTimeout as delay } from 'node:timers/promises';
import type { MediaServerStream } from './media-server.ts';
import type { MediaServerAddress } from './media-server-address.ts';
import { MissedResponses } from './missed-responses.ts';
import { RowRoles } from './row-roles.ts';
import { SrsHttpApi } from './srs-http-api.ts';

/** Interval of the background polls, milliseconds. */
const probeIntervalMs = 500;

/** Timeout for the reload of a server that was unavailable, milliseconds. */
const unavailableReloadMs = 1_000;

export class ServerMember {
  readonly address: MediaServerAddress;
  readonly api: SrsHttpApi;
  readonly roles = new RowRoles();
  readonly streams = new MissedResponses<MediaServerStream[]>(() => performance.now());
  #probedAtMs = Number.NEGATIVE_INFINITY;
  /** True when the server was unavailable during a reload of all servers. */
  #owesReload = false;

  constructor(address: MediaServerAddress) {
    this.address = address;
    this.api = new SrsHttpApi(address);
  }

  /** Polls in the background while it is unavailable, and reloads it when it is back. */
  pollUntilBack(): void {
    if (!this.api.isUnavailable && !this.#owesReload) return;
    if (performance.now() - this.#probedAtMs < probeIntervalMs) return;
    this.#probedAtMs = Number.POSITIVE_INFINITY;
    const done = () => {
      this.#probedAtMs = performance.now();
    };
    this.streams.note(this.api.listStreams()).then(() => this.#catchUp().then(done, done), done);
  }

  /** Reloads the server. Never rejects; waits at most `unavailableReloadMs` for an unavailable server. */
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
