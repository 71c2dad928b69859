// Counts malformed messages of a publisher for the operator, and logs them at intervals.
import type { DroppedKind } from '../hub/media-health.ts';
import type { Publication } from '../hub/publication.ts';
import type { EngineLogger } from '../ports.ts';
import { sessionFields } from '../session-info.ts';

/** Minimum interval of log lines, milliseconds. A publisher that sends only malformed messages must not fill the log. */
const logIntervalMs = 60_000;

export class DroppedMessages {
  readonly #publication: Publication;
  readonly #log: EngineLogger;
  readonly #clock: () => number;
  #loggedAtMs = Number.NEGATIVE_INFINITY;
  #unlogged = 0;

  constructor(publication: Publication, log: EngineLogger, clock: () => number) {
    this.#publication = publication;
    this.#log = log;
    this.#clock = clock;
  }

  count(kind: DroppedKind, reason: string): void {
    this.#publication.countDropped(kind);
    this.#unlogged++;
    if (this.#clock() - this.#loggedAtMs >= logIntervalMs) this.#writeLog({ kind, reason });
  }

  /** Call after the end of the publication; logs the remaining count. */
  end(): void {
    if (this.#unlogged > 0) this.#writeLog({});
  }

  #writeLog(fields: object): void {
    this.#loggedAtMs = this.#clock();
    const dropped = this.#unlogged;
    this.#unlogged = 0;
    this.#log.warn(
      { ...sessionFields(this.#publication.session), ...fields, dropped },
      'malformed messages of the encoder were dropped',
    );
  }
}
