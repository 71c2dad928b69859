// The command that makes another server a node. It adds the cluster settings to the settings file of that server and starts the product.
import type { ClusterJoin } from './queries.ts';

/** Default of `CLUSTER_NAME`. */
const usualName = 'srs-stack';

/** Returns a command for a POSIX shell in the folder of the product. */
export function joinCommand({ url, secret, name }: ClusterJoin): string {
  const lines = [
    `CLUSTER_URL=${url}`,
    `CLUSTER_SECRET=${secret}`,
    ...(name === usualName ? [] : [`CLUSTER_NAME=${name}`]),
  ];
  return `mkdir -p data/config\nprintf '%s\\n' ${lines.map(quoted).join(' \\\n  ')} >> data/config/.env\nnpm start`;
}

/** Quotes a word. Inside single quotes, only the single quote itself has a meaning for the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
