// The origin of a change. Every call passes the actor through the modules to the audit trail.

export interface Actor {
  /** Address of the caller; '' when the server itself acts. */
  readonly ip: string;
  /** Cookie of a browser that logged in before; absent or '' for none. */
  readonly deviceCookie?: string;
}

/** Used for changes by the server itself, at the start or by a timer. */
export const thisServer: Actor = { ip: '' };
