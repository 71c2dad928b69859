// What helps to understand a failed test: products and pages say here what of them is worth keeping.

interface CurrentTest {
  hasFailed(): boolean;
  /** Writes a file beside the others of this test. */
  keep(name: string, content: string | Uint8Array): void;
}

export interface Source {
  /** File name, e.g. `product.log`; sources of one name are numbered. */
  readonly name: string;
  /** What to keep; undefined when there is nothing any more. */
  content(): Promise<string | Uint8Array | undefined> | string;
}

const sources = new Set<Source>();

export const evidence = {
  /** The test that runs now; undefined between tests. */
  current: undefined as CurrentTest | undefined,

  /** Keeps what all known sources have if the current test has failed. */
  async keepAll(): Promise<void> {
    for (const source of sources) await evidence.keep(source);
  },

  /** Keeps one source, which is about to end, if the current test has failed. */
  async keep(source: Source): Promise<void> {
    if (!evidence.current?.hasFailed()) return;
    const content = await Promise.resolve(source.content()).catch(() => undefined);
    const place = [...sources].filter(({ name }) => name === source.name).indexOf(source);
    if (content !== undefined) evidence.current.keep(place > 0 ? `${place + 1}-${source.name}` : source.name, content);
  },

  /** From now on the source is queried when a test fails. Returns a function that ends that. */
  add(source: Source): () => void {
    sources.add(source);
    return () => sources.delete(source);
  },
};
