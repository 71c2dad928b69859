// A playlist text in which every URL may carry the query of the viewer's request: generated once, completed per viewer.

export class PlaylistText {
  /** The query is inserted between two pieces. */
  readonly #pieces: string[] = [''];
  /** The last completed text: viewers with the same query share it. */
  #completed: { readonly query: string; readonly tail: string; readonly body: Buffer } | undefined;

  line(text: string): void {
    this.#append(`${text}\n`);
  }

  /** A line with the URL of a file beside the playlist. */
  uri(before: string, fileName: string, after: string): void {
    this.#append(before + encodeURIComponent(fileName));
    this.#pieces.push(`${after}\n`);
  }

  /** @param query with its question mark, or ''. @param tail complete last lines, which change more often than the text. */
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
