// Decides whether a publisher knows the secret. Pure.
import { secretsEqual } from '../access/secrets-equal.ts';

/**
 * The secret is the whole value of the parameter `secret`, or, for encoders that cannot send a query, any part of the
 * stream name. `param` comes as `?secret=X` (RTMP), `secret=X` (SRT) or the whole query (WebRTC). An empty secret lets
 * everybody in.
 */
export function knowsPublishSecret(secret: string, request: { param: string; stream: string }): boolean {
  if (secret === '') return true;
  const values = secretValues(request.param);
  const isInParam = values.map((value) => secretsEqual(value, secret)).includes(true);
  return isInParam || isInName(secret, request.stream);
}

/** More than one would only be for guessing: parameters beyond these are not looked at. */
const maxSecretParameters = 4;

/** Values of the parameter `secret`, as they came and decoded. */
export function secretValues(param: string): string[] {
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

/** Every part is compared to the end, so that the time does not tell how much of a guess was right; names are short. */
function isInName(secret: string, stream: string): boolean {
  const parts = Array.from({ length: Math.max(0, stream.length - secret.length + 1) }, (_, start) =>
    stream.slice(start, start + secret.length),
  );
  return parts.map((part) => secretsEqual(part, secret)).includes(true);
}
