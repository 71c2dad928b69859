// ICE credentials, RFC 8445 §5.3: a username fragment that identifies the session, and a password that signs checks.
import type { StunMessage } from './stun-message.ts';

export interface IceCredentials {
  readonly ufrag: string;
  readonly password: string;
}

/** Random bytes of a username fragment: 48 bits instead of the required 24, because fragments identify the sessions on one port. */
const ufragRandomBytes = 6;
/** Random bytes of a password: 144 bits, where 128 are required. */
const passwordRandomBytes = 18;
/** Maximum length of a username fragment, characters (RFC 8839 §5.4). */
const maxUfragCharacters = 256;

/** Creates the credentials of one session (RFC 8839 §5.4). ICE allows all Base64 characters. */
export function createIceCredentials(random: (bytes: number) => Buffer): IceCredentials {
  return {
    ufrag: random(ufragRandomBytes).toString('base64'),
    password: random(passwordRandomBytes).toString('base64'),
  };
}

/**
 * Returns the receiver's username fragment in a check: USERNAME up to the colon (RFC 8445 §7.2.2). A port with many sessions finds the
 * session by this fragment.
 */
export function localUfragOf({ username }: StunMessage): string | undefined {
  const colon = username?.indexOf(':') ?? -1;
  return colon > 0 && colon <= maxUfragCharacters ? username?.slice(0, colon) : undefined;
}
