// Polls `run/nodes.json`, in which the control plane lists the other nodes.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KnownNode, knownNodesFile, parseKnownNodes } from '@srs-stack/process/cluster/known-nodes.ts';

/** Polling interval, milliseconds. The control plane takes up to three seconds to detect a new node. */
const lookEveryMs = 500;

/**
 * Passes the listed nodes to `onLook` regularly, even if unchanged. The callee drops an unlisted node at a later call, after the
 * connection of the node has ended.
 */
export class KnownNodesWatch {
  readonly #file: string;
  readonly #onLook: (nodes: readonly KnownNode[]) => void;
  readonly #timer: NodeJS.Timeout;
  #nodes: readonly KnownNode[] = [];

  constructor(dataDir: string, onLook: (nodes: readonly KnownNode[]) => void) {
    this.#file = join(dataDir, 'run', knownNodesFile);
    this.#onLook = onLook;
    this.#timer = setInterval(() => {
      this.look().catch(() => undefined);
    }, lookEveryMs).unref();
  }

  /** When the file is missing or invalid, the known nodes stay. */
  async look(): Promise<void> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    this.#nodes = parseKnownNodes(text) ?? this.#nodes;
    this.#onLook(this.#nodes);
  }

  /** Idempotent. */
  close(): void {
    clearInterval(this.#timer);
  }
}
