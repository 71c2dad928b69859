// Finds the parts of a target's address that must not appear in logs and responses: stream key, passwords, and all query values.

const masked = '******';
/** Shorter values are common words. Masked common words would make messages unreadable. */
const minSecretLength = 4;

/** Returns a function that masks every secret of the address in a text. The longest secret is masked first. */
export function maskOf({ server, key }: { server: string; key: string }): (text: string) => string {
  const userInfo = /^[a-z]+:\/\/([^/]*)@/i.exec(server)?.[1] ?? '';
  const found = [key, userInfo, ...userInfo.split(':').slice(1), ...valuesOf(server), ...valuesOf(key)];
  const secrets = new Set([...found, ...found.map(decoded)].filter((text) => text.length >= minSecretLength));
  const ordered = [...secrets].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((result, secret) => result.replaceAll(secret, masked), text);
}

function valuesOf(text: string): string[] {
  const query = text.split('?').slice(1).join('?');
  return query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
