// Masks publish secrets, passwords and keys in callback data that is logged or shown.

const mask = '******';
const secretParameter = /([?&]|^)([^=&#]*(?:secret|token|password|passwd|key|auth|sign|watch)[^=&#]*)=[^&#]*/gi;

/** Masks the values of secret parameters. */
export function maskQuery(query: string): string {
  return query.replace(secretParameter, `$1$2=${mask}`);
}

/** Masks the password and secret parameters of a target. A text that is not a URL is masked like a query. */
export function maskTarget(target: string): string {
  const url = URL.parse(target);
  if (!url) return maskQuery(target);
  if (url.password) url.password = mask;
  url.search = maskQuery(url.search);
  return url.toString();
}

/** Masks the query of the publisher or viewer in a body. `hidesOpaque` also masks the opaque text, which may be a secret. */
export function maskBody(
  body: Readonly<Record<string, unknown>>,
  { hidesOpaque }: { hidesOpaque: boolean },
): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...body };
  if (typeof body.param === 'string') shown.param = maskQuery(body.param);
  if (hidesOpaque && body.opaque) shown.opaque = mask;
  return shown;
}
