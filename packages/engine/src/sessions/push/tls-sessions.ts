// TLS sessions of targets with a verified certificate. The next connection to a target resumes the session instead of making a full
// handshake.

/** Maximum number of remembered targets; each uses some kilobytes. The target whose session was stored longest ago is removed first. */
const maxSessions = 256;

export class TlsSessions {
  readonly #sessions = new Map<string, Buffer>();

  find(host: string, port: number): Buffer | undefined {
    return this.#sessions.get(`${host}:${port}`);
  }

  keep(host: string, port: number, session: Buffer): void {
    const key = `${host}:${port}`;
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
  }

  /** Call after a failed connection. The next connection makes a full handshake and verifies the certificate again. */
  forget(host: string, port: number): void {
    this.#sessions.delete(`${host}:${port}`);
  }
}
