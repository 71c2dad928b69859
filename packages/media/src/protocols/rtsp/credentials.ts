// The Authorization header of a client, Basic (RFC 7617).

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Undefined for other schemes and invalid values. */
export function parseBasicCredentials(header: string | undefined): Credentials | undefined {
  const encoded = /^basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
