// Recognises what this server gives out as a credential, without the means to check it: nobody else may be shown one. Pure.

/** Of API secrets the server made itself. */
const secretPrefix = 'srs-v2-';
/** Longest value looked at, characters: ours have about 200. */
const maxCredentialLength = 1_024;

/**
 * @param secrets those the operator chose, from the environment.
 * @returns whether a value is an API secret of this server, a token of one of its sessions, or one of `secrets`.
 */
export function createOwnCredentials(secrets: readonly string[]): (value: string) => boolean {
  return (value) => {
    const text = value.trim();
    if (text === '') return false;
    return secrets.includes(text) || text.startsWith(secretPrefix) || isSessionToken(text);
  };
}

/** A JWT (RFC 7519) with the claims of our sessions; who signed it does not matter here. */
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
