// Saves a setting repeatedly at any responding node, and records the saved value.
import { setTimeout as delay } from 'node:timers/promises';
import { endpoints } from '@srs-stack/contract';
import { type NodeCluster, nodeNames } from './node-cluster.ts';
import { Pauses } from './pauses.ts';

const saveEveryMs = 200;

export class KeptSettings {
  readonly pauses = new Pauses();
  readonly #cluster: NodeCluster;
  #tried = 0;
  #saved = 0;
  #isOver = false;
  readonly #ended: Promise<void>;

  constructor(cluster: NodeCluster) {
    this.#cluster = cluster;
    this.#ended = this.#keepSaving();
  }

  /** Whether a save has succeeded since this time (`performance.now()`). */
  isSaving(since: number): boolean {
    return this.pauses.lastAt > since;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }

  /** Number of nodes whose setting is older than the last saved value, or was never sent by this test. */
  async lost(): Promise<number> {
    // Read before the queries, because further values are saved during the queries.
    const saved = this.#saved;
    const settings = await Promise.all(
      nodeNames.map((name) => this.#cluster.console(name).call(endpoints.queryBeian, {})),
    );
    const numbers = settings.map(({ title = '' }) => Number(title));
    return numbers.filter((number) => !(number >= saved && number <= this.#tried)).length;
  }

  async #keepSaving(): Promise<void> {
    while (!this.#isOver) {
      const number = ++this.#tried;
      for (const name of this.#cluster.living) {
        const isSaved = await this.#cluster
          .console(name)
          .call(endpoints.updateBeian, { beian: 'title', text: String(number) })
          .then(
            () => true,
            () => false,
          );
        if (!isSaved) continue;
        this.#saved = number;
        this.pauses.note();
        break;
      }
      await delay(saveEveryMs);
    }
  }
}
