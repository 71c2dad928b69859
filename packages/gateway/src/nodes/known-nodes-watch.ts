// Looks at `run/nodes.json`, where the control plane tells which other nodes there are.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KnownNode, knownNodesFile, parseKnownNodes } from '@srs-stack/process/cluster/known-nodes.ts';

/** Between two looks, milliseconds: a node that came is known to its control plane within three seconds. */
const lookEveryMs = 500;

/** Tells the nodes again and again, so that who hears of them can also let go of those that are left out. */
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

  /** A file that is missing or odd changes nothing: nodes that were known stay. */
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
