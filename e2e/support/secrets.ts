// Secrets that tests use: none of them may stand in a log of the product.

const secrets = new Set<string>();
/** Shorter ones would be found in other words. */
const minLength = 8;

export function keepSecret(secret: string): void {
  if (secret.length >= minLength) secrets.add(secret);
}

/** Throws with the line that has one. */
export function refuseSecrets(output: string): void {
  for (const line of output.split('\n')) {
    for (const secret of secrets) {
      if (line.includes(secret)) throw new Error(`the product logged a secret: ${line.replaceAll(secret, '<secret>')}`);
    }
  }
}
