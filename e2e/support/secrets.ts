// Secrets of tests. No log of the product may contain them.

const secrets = new Set<string>();
/** Minimum length of a searched secret, characters. A shorter secret could be in a log by chance. */
const minLength = 8;

export function keepSecret(secret: string): void {
  if (secret.length >= minLength) secrets.add(secret);
}

/** @throws with the log line that contains a secret. */
export function refuseSecrets(output: string): void {
  for (const line of output.split('\n')) {
    for (const secret of secrets) {
      if (line.includes(secret)) throw new Error(`the product logged a secret: ${line.replaceAll(secret, '<secret>')}`);
    }
  }
}
