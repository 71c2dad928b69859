// Collects data about a failed test. Products and pages register the content that is to be kept.

interface CurrentTest {
  hasFailed(): boolean;
  keep(name: string, content: string | Uint8Array): void;
}

export interface Source {
  /** File name, such as `product.log`. Equal names are numbered. */
  readonly name: string;
  /** Content to keep; undefined when the source no longer exists. */
  content(): Promise<string | Uint8Array | undefined> | string;
}

const sources = new Set<Source>();

export const evidence = {
  /** The running test; undefined between tests. */
  current: undefined as CurrentTest | undefined,

  async keepAll(): Promise<void> {
    for (const source of sources) await evidence.keep(source);
  },

  /** Keeps the content of a source that is about to end, if the current test has failed. */
  async keep(source: Source): Promise<void> {
    if (!evidence.current?.hasFailed()) return;
    const content = await Promise.resolve(source.content()).catch(() => undefined);
    const place = [...sources].filter(({ name }) => name === source.name).indexOf(source);
    if (content !== undefined) evidence.current.keep(place > 0 ? `${place + 1}-${source.name}` : source.name, content);
  },

  /** Registers a source, whose content is read when a test fails. Returns a function that unregisters the source. */
  add(source: Source): () => void {
    sources.add(source);
    return () => sources.delete(source);
  },
};
