// Decides whether a publisher knows the secret. Pure.
import { secretsEqual } from '../access/secrets-equal.ts';

/**
 * The secret is the whole value of the parameter `secret`, or, for encoders that cannot send a query, the end of the
 * stream name. `param` comes as `?secret=X` (RTMP), `secret=X` (SRT) or the whole query (WebRTC). An empty secret lets
 * everybody in.
 */
export function knowsPublishSecret(secret: string, request: { param: string; stream: string }): boolean {
  if (secret === '') return true;
  const values = secretValues(request.param);
  const isInParam = values.map((value) => secretsEqual(value, secret)).includes(true);
  const isInName = secretsEqual(lastCharacters(request.stream, secret.length), secret);
  return isInParam || isInName;
}

/** More than one would only be for guessing: parameters beyond these are not looked at. */
const maxSecretParameters = 4;

function secretValues(param: string): string[] {
  const found: string[] = [];
  for (const pair of param.replace(/^\?/, '').split('&')) {
    const [key, ...rest] = pair.split('=');
    if (key !== 'secret' || found.length >= maxSecretParameters) continue;
    // Encoders differ in whether they percent-encode; both spellings of a secret are taken.
    const raw = rest.join('=');
    found.push(raw, decoded(raw));
  }
  return found;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function lastCharacters(text: string, count: number): string {
  return text.slice(Math.max(0, text.length - count));
}
