// The command that makes another server a node: it adds the cluster settings to that server's settings file and starts the server.
import type { ClusterJoin } from './queries.ts';

/** Name of the cluster if `CLUSTER_NAME` is not set. */
const usualName = 'srs-stack';

/** Returns the command for a POSIX shell, to be run in the folder of the product. */
export function joinCommand({ url, secret, name }: ClusterJoin): string {
  const lines = [
    `CLUSTER_URL=${url}`,
    `CLUSTER_SECRET=${secret}`,
    ...(name === usualName ? [] : [`CLUSTER_NAME=${name}`]),
  ];
  return `mkdir -p data/config\nprintf '%s\\n' ${lines.map(quoted).join(' \\\n  ')} >> data/config/.env\nnpm start`;
}

/** Quotes a word: inside single quotes, only the quote itself has a meaning to a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
