// Who asks for a change: passed from the call through every room to the audit trail.

export interface Actor {
  /** Address of the caller; '' when nobody called. */
  readonly ip: string;
  /** What the browser of the caller was given when it logged in before; '' or absent without. */
  readonly deviceCookie?: string;
}

/** What happens by itself: at the start, by a timer. */
export const thisServer: Actor = { ip: '' };
