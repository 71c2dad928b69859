const maskedSecret = '******';

/** Replaces every occurrence of the secret, as typed or URL-encoded. An empty secret changes nothing. */
export function maskSecret(text: string, secret: string): string {
  if (secret === '') return text;
  const forms = [...new Set([encodedInQuery(text), secret])];
  return forms.reduce((masked, form) => (form === '' ? masked : masked.replaceAll(form, maskedSecret)), text);
}

function encodedInQuery(text: string): string {
  return /[?&]secret=([^&"'\s,\]]+)/.exec(text)?.[1] ?? '';
}
