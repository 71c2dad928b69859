// Progress of each upload, in memory and in the store. After a kill, only parts without a received response are sent again.
import type { Log } from '@srs-stack/process/log.ts';
import type { Collection } from '../store/store.ts';
import type { SentPart, UploadMemory } from './send-file.ts';
import type { PartFacts, TransferFacts } from './transfer-facts.ts';

export class UploadMemories {
  readonly #rows: Collection<TransferFacts>;
  readonly #partRows: Collection<PartFacts>;
  readonly #facts = new Map<string, TransferFacts>();
  readonly #parts = new Map<string, Map<number, SentPart>>();

  constructor(rows: Collection<TransferFacts>, partRows: Collection<PartFacts>) {
    this.#rows = rows;
    this.#partRows = partRows;
  }

  /** Loads the stored progress. If the tables are unreadable, uploads start again. */
  async open(log: Log): Promise<void> {
    try {
      for (const [uuid, facts] of await this.#rows.entries()) this.#facts.set(uuid, facts);
      for (const [id, { uploadId, etag, md5 }] of await this.#partRows.entries()) {
        const [uuid = '', number] = id.split('/');
        if (this.#facts.get(uuid)?.uploadId === uploadId) this.#partsOf(uuid).set(Number(number), { etag, md5 });
      }
    } catch (error) {
      log.error({ err: error }, 'the table of uploads cannot be read, unfinished uploads start again');
    }
  }

  facts(uuid: string): TransferFacts | undefined {
    return this.#facts.get(uuid);
  }

  /** Stores the progress before the next step. Discards progress of another file or destination. */
  async keep(uuid: string, facts: TransferFacts): Promise<void> {
    this.#facts.set(uuid, facts);
    await this.#rows.put(uuid, facts);
    if (facts.uploadId === '') await this.#forgetParts(uuid);
  }

  of(uuid: string): UploadMemory {
    const factsOf = () => this.#facts.get(uuid) as TransferFacts;
    return {
      get uploadId() {
        return factsOf().uploadId;
      },
      parts: this.#partsOf(uuid),
      begin: async (uploadId) => {
        await this.#forgetParts(uuid);
        await this.keep(uuid, { ...factsOf(), uploadId });
      },
      keep: async (number, part) => {
        await this.#partRows.put(`${uuid}/${number}`, { ...part, uploadId: factsOf().uploadId });
        this.#partsOf(uuid).set(number, part);
      },
    };
  }

  async forget(uuid: string): Promise<void> {
    await this.#rows.remove(uuid);
    this.#facts.delete(uuid);
    await this.#forgetParts(uuid);
    this.#parts.delete(uuid);
  }

  async #forgetParts(uuid: string): Promise<void> {
    const parts = this.#partsOf(uuid);
    for (const number of parts.keys()) await this.#partRows.remove(`${uuid}/${number}`);
    parts.clear();
  }

  #partsOf(uuid: string): Map<number, SentPart> {
    const parts = this.#parts.get(uuid) ?? new Map<number, SentPart>();
    this.#parts.set(uuid, parts);
    return parts;
  }
}
