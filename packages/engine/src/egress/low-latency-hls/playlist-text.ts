// A playlist whose URLs get the query of the viewer's request. The text is generated once and completed per viewer.

export class PlaylistText {
  /** Text between the places where the query is inserted. */
  readonly #pieces: string[] = [''];
  /** Cache of the last result: most viewers have the same query. */
  #completed: { readonly query: string; readonly tail: string; readonly body: Buffer } | undefined;

  line(text: string): void {
    this.#append(`${text}\n`);
  }

  /** Appends a line with the URL of a file beside the playlist. */
  uri(before: string, fileName: string, after: string): void {
    this.#append(before + encodeURIComponent(fileName));
    this.#pieces.push(`${after}\n`);
  }

  /** @param query with its question mark, or ''. @param tail complete last lines, which change more often than the other lines. */
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
