// Removes publish secrets, passwords and keys from callbacks before they reach the delivery log or the process log. Pure.

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

/** The body for display, with the publisher's query masked; for the log also the opaque text, which may be a secret. */
export function maskBody(
  body: Readonly<Record<string, unknown>>,
  { hidesOpaque }: { hidesOpaque: boolean },
): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...body };
  if (typeof body.param === 'string') shown.param = maskQuery(body.param);
  if (hidesOpaque && body.opaque) shown.opaque = mask;
  return shown;
}
