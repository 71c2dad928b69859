// An admitted viewer. It is counted while playing, and its end is reported exactly once.
import type { PlayerHandle, PlayerOwner, StreamHub } from '../../hub/stream-hub.ts';
import type { EnginePorts } from '../../ports.ts';
import { type SessionInfo, sessionFields } from '../../session-info.ts';

export interface AdmittedPlayOptions {
  readonly hub: Pick<StreamHub, 'addPlayer'>;
  readonly ports: Pick<EnginePorts, 'log' | 'onStop'>;
}

export class AdmittedPlay {
  readonly session: SessionInfo;
  readonly #options: AdmittedPlayOptions;
  #player: PlayerHandle | undefined;
  #hasEnded = false;

  constructor(session: SessionInfo, options: AdmittedPlayOptions) {
    this.session = session;
    this.#options = options;
  }

  /**
   * Counts and lists the viewer, and permits kicking it, until the player is closed. Call again for a viewer that returns, but never after
   * `end`.
   */
  start(owner: PlayerOwner): PlayerHandle {
    const { hub, ports } = this.#options;
    if (!this.#player) ports.log.info(sessionFields(this.session), 'play started');
    this.#player?.close();
    this.#player = hub.addPlayer(this.session, owner);
    return this.#player;
  }

  /** Call when the player has disconnected, even if it never started. @param fields fields for the log. Idempotent. */
  end(fields: object = {}): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const { ports } = this.#options;
    this.#player?.close();
    if (this.#player) ports.log.info({ ...sessionFields(this.session), ...fields }, 'play ended');
    ports.onStop(this.session);
  }
}
