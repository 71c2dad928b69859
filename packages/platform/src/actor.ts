// The origin of a change: passed from the call through all modules to the audit trail.

export interface Actor {
  /** Address of the caller; '' when the server itself acts. */
  readonly ip: string;
  /** Cookie value of a browser that logged in before; '' or absent without one. */
  readonly deviceCookie?: string;
}

/** Changes by the server itself: at the start, or by a timer. */
export const thisServer: Actor = { ip: '' };
