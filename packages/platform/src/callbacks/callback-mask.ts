// What the delivery log and the process log may contain of a callback: no publish secret, password or key. Pure.

const mask = '******';
/** Query parameters with secret values. */
const secretParameter = /([?&]|^)([^=&#]*(?:secret|token|password|passwd|key|auth|sign|watch)[^=&#]*)=[^&#]*/gi;

/** A query with the values of secret parameters replaced. */
export function maskQuery(query: string): string {
  return query.replace(secretParameter, `$1$2=${mask}`);
}

/** A target without password and secret parameters; text that is not a URL is kept, with parameters masked. */
export function maskTarget(target: string): string {
  const url = URL.parse(target);
  if (!url) return maskQuery(target);
  if (url.password) url.password = mask;
  url.search = maskQuery(url.search);
  return url.toString();
}

/** The body for display: the publisher's query is masked; in the log also the opaque text, which may be a secret. */
export function maskBody(
  body: Readonly<Record<string, unknown>>,
  { hidesOpaque }: { hidesOpaque: boolean },
): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...body };
  if (typeof body.param === 'string') shown.param = maskQuery(body.param);
  if (hidesOpaque && body.opaque) shown.opaque = mask;
  return shown;
}
