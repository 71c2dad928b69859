// Recognizes credentials of this server by their form or value, so that they are not sent to other servers. Pure.

/** Prefix of generated API secrets. */
const secretPrefix = 'srs-v2-';
/** Longest value that is checked for a session token, characters. Tokens of this server have about 200. */
const maxCredentialLength = 1_024;

/**
 * @param secrets secrets that the operator set in the environment.
 * @returns a function that tests whether a value is an API secret of this server, a session token of this server, or one of `secrets`.
 */
export function createOwnCredentials(secrets: readonly string[]): (value: string) => boolean {
  return (value) => {
    const text = value.trim();
    if (text === '') return false;
    return secrets.includes(text) || text.startsWith(secretPrefix) || isSessionToken(text);
  };
}

/** True for a JWT (RFC 7519) with the claims of this server's sessions. Does not verify the signature. */
function isSessionToken(text: string): boolean {
  const [, claims = '', signature] = text.split('.');
  if (signature === undefined || text.length > maxCredentialLength) return false;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const { v, nonce, iat, exp } = (parsed ?? {}) as Record<string, unknown>;
    return [v, nonce].every((each) => typeof each === 'string') && [iat, exp].every((each) => typeof each === 'number');
  } catch {
    return false;
  }
}
