// A playlist text in which every address may carry the query of the viewer's own request: written once, completed per viewer.

export class PlaylistText {
  /** The query stands between two pieces. */
  readonly #pieces: string[] = [''];
  /** The last completed one: viewers without a query of their own share it. */
  #completed: { readonly query: string; readonly tail: string; readonly body: Buffer } | undefined;

  line(text: string): void {
    this.#append(`${text}\n`);
  }

  /** A line with the address of a file beside the playlist. */
  uri(before: string, fileName: string, after: string): void {
    this.#append(before + encodeURIComponent(fileName));
    this.#pieces.push(`${after}\n`);
  }

  /** @param query with its question mark, or ''. @param tail whole lines that come last, with what changes more often than the text. */
  toBody(query: string, tail = ''): Buffer {
    if (this.#completed?.query !== query || this.#completed.tail !== tail) {
      this.#completed = { query, tail, body: Buffer.from(this.#pieces.join(query) + tail) };
    }
    return this.#completed.body;
  }

  #append(text: string): void {
    this.#pieces[this.#pieces.length - 1] += text;
  }
}
