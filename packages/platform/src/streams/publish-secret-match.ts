// Checks whether a publisher sends the publish secret. Pure.
import { secretsEqual } from '../access/secrets-equal.ts';

/**
 * Whether a publisher sends the secret as the whole value of the parameter `secret`. Encoders without a query may send it as any part of
 * the stream name. `param` is `?secret=X` (RTMP), `secret=X` (SRT) or the whole query (WebRTC). An empty secret admits every publisher.
 */
export function knowsPublishSecret(secret: string, request: { param: string; stream: string }): boolean {
  if (secret === '') return true;
  const values = secretValues(request.param);
  const isInParam = values.map((value) => secretsEqual(value, secret)).includes(true);
  return isInParam || isInName(secret, request.stream);
}

/** Maximum number of `secret` parameters checked. Limits the number of guesses in one request. */
const maxSecretParameters = 4;

/** Values of the parameter `secret`, both raw and decoded. */
export function secretValues(param: string): string[] {
  const found: string[] = [];
  for (const pair of param.replace(/^\?/, '').split('&')) {
    const [key, ...rest] = pair.split('=');
    if (key !== 'secret' || found.length >= maxSecretParameters) continue;
    // Encoders differ in percent-encoding, so both forms of a secret are accepted.
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

/** Compares all parts completely: the response time must not reveal a partial match. Stream names are short. */
function isInName(secret: string, stream: string): boolean {
  const parts = Array.from({ length: Math.max(0, stream.length - secret.length + 1) }, (_, start) =>
    stream.slice(start, start + secret.length),
  );
  return parts.map((part) => secretsEqual(part, secret)).includes(true);
}
