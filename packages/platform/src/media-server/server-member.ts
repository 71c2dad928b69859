// One of several media servers: what is remembered of it between two questions, the look beside the calls whether it is back, and
// the reload that it owes while it is away. Driven by `MediaServers`.
import { setTimeout as delay } from 'node:timers/promises';
import type { MediaServerStream } from './media-server.ts';
import type { MediaServerAddress } from './media-server-address.ts';
import { MissedAnswers } from './missed-answers.ts';
import { RowRoles } from './row-roles.ts';
import { SrsHttpApi } from './srs-http-api.ts';

/** Between two looks whether a server is back, milliseconds. */
const probeIntervalMs = 500;

/** A server that was away may take so long to reload before nobody waits for it any more, milliseconds. */
const awayReloadMs = 1_000;

export class ServerMember {
  readonly address: MediaServerAddress;
  readonly api: SrsHttpApi;
  readonly roles = new RowRoles();
  readonly streams = new MissedAnswers<MediaServerStream[]>(() => performance.now());
  #probedAtMs = Number.NEGATIVE_INFINITY;
  /** It was away when all were told to read their configuration again. */
  #owesReload = false;

  constructor(address: MediaServerAddress) {
    this.address = address;
    this.api = new SrsHttpApi(address);
  }

  /** Looks beside the calls whether it is back, when it is away, and tells it what it missed. */
  lookForIt(): void {
    if (!this.api.isAway && !this.#owesReload) return;
    if (performance.now() - this.#probedAtMs < probeIntervalMs) return;
    this.#probedAtMs = Number.POSITIVE_INFINITY;
    const done = () => {
      this.#probedAtMs = performance.now();
    };
    this.streams.note(this.api.listStreams()).then(() => this.#catchUp().then(done, done), done);
  }

  /** Never rejects. One that is away is given `awayReloadMs`. */
  async reload(): Promise<'done' | 'away' | Error> {
    const wasAway = this.api.isAway;
    this.#owesReload = wasAway;
    const reloaded = this.api.reload().then(
      () => {
        this.#owesReload = false;
        return 'done' as const;
      },
      (error: Error) => (wasAway && this.api.isAway ? ('away' as const) : error),
    );
    if (!wasAway) return reloaded;
    return Promise.race([reloaded, delay(awayReloadMs, 'away' as const, { ref: false })]);
  }

  async #catchUp(): Promise<void> {
    if (!this.#owesReload) return;
    await this.api.reload();
    this.#owesReload = false;
  }
}
