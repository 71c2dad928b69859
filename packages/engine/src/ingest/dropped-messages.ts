// Messages of one publisher that could not be read and were dropped: counted for the operator, logged now and then.
import type { DroppedKind } from '../hub/media-health.ts';
import type { Publication } from '../hub/publication.ts';
import type { EngineLogger } from '../ports.ts';
import { sessionFields } from '../session-info.ts';

/** A publisher that sends nothing else must not fill the log: one line per this time, milliseconds. */
const logIntervalMs = 60_000;

export class DroppedMessages {
  readonly #publication: Publication;
  readonly #log: EngineLogger;
  readonly #clock: () => number;
  #loggedAtMs = Number.NEGATIVE_INFINITY;
  #unlogged = 0;

  /** `clock`: monotonic milliseconds. */
  constructor(publication: Publication, log: EngineLogger, clock: () => number) {
    this.#publication = publication;
    this.#log = log;
    this.#clock = clock;
  }

  /** `reason`: an English phrase for the log. */
  count(kind: DroppedKind, reason: string): void {
    this.#publication.countDropped(kind);
    this.#unlogged++;
    if (this.#clock() - this.#loggedAtMs >= logIntervalMs) this.#writeLog({ kind, reason });
  }

  /** The publication is over: reports what has not been logged yet. */
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
