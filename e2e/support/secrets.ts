// Secrets used by tests: none of them may occur in a log of the product.

const secrets = new Set<string>();
/** Minimum length of a secret that is searched, characters: shorter ones could occur by chance. */
const minLength = 8;

export function keepSecret(secret: string): void {
  if (secret.length >= minLength) secrets.add(secret);
}

/** Throws with the line that contains one. */
export function refuseSecrets(output: string): void {
  for (const line of output.split('\n')) {
    for (const secret of secrets) {
      if (line.includes(secret)) throw new Error(`the product logged a secret: ${line.replaceAll(secret, '<secret>')}`);
    }
  }
}
