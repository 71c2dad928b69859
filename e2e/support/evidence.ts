// Collects data that helps to understand a failed test: products and pages register what to keep.

interface CurrentTest {
  hasFailed(): boolean;
  /** Writes a file beside the others of this test. */
  keep(name: string, content: string | Uint8Array): void;
}

export interface Source {
  /** File name, e.g. `product.log`; equal names are numbered. */
  readonly name: string;
  /** Content to keep; undefined when there is none any more. */
  content(): Promise<string | Uint8Array | undefined> | string;
}

const sources = new Set<Source>();

export const evidence = {
  /** The running test; undefined between tests. */
  current: undefined as CurrentTest | undefined,

  /** Keeps the content of all registered sources if the current test has failed. */
  async keepAll(): Promise<void> {
    for (const source of sources) await evidence.keep(source);
  },

  /** Keeps one source that is about to end, if the current test has failed. */
  async keep(source: Source): Promise<void> {
    if (!evidence.current?.hasFailed()) return;
    const content = await Promise.resolve(source.content()).catch(() => undefined);
    const place = [...sources].filter(({ name }) => name === source.name).indexOf(source);
    if (content !== undefined) evidence.current.keep(place > 0 ? `${place + 1}-${source.name}` : source.name, content);
  },

  /** Registers a source, which is queried when a test fails. Returns a function that unregisters it. */
  add(source: Source): () => void {
    sources.add(source);
    return () => sources.delete(source);
  },
};
