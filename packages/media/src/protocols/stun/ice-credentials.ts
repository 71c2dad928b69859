// ICE credentials, RFC 8445 §5.3: a username fragment that identifies the session, and a password that signs checks.
import type { StunMessage } from './stun-message.ts';

export interface IceCredentials {
  readonly ufrag: string;
  readonly password: string;
}

/** Random bytes of a fragment: 8 characters, 48 bits, where 24 are required, because fragments identify the sessions on one port. */
const ufragRandomBytes = 6;
/** Random bytes of a password: 24 characters, 144 bits, where 128 are required. */
const passwordRandomBytes = 18;
/** Maximum characters of a fragment (RFC 8839 §5.4). */
const maxUfragCharacters = 256;

/** Creates the credentials of one session (RFC 8839 §5.4); all Base64 characters are allowed by ICE. */
export function createIceCredentials(random: (bytes: number) => Buffer): IceCredentials {
  return {
    ufrag: random(ufragRandomBytes).toString('base64'),
    password: random(passwordRandomBytes).toString('base64'),
  };
}

/**
 * The receiver's fragment in the USERNAME of a check, before the colon (RFC 8445 §7.2.2), by which a port with many sessions finds the
 * session. Undefined when there is none.
 */
export function localUfragOf({ username }: StunMessage): string | undefined {
  const colon = username?.indexOf(':') ?? -1;
  return colon > 0 && colon <= maxUfragCharacters ? username?.slice(0, colon) : undefined;
}
