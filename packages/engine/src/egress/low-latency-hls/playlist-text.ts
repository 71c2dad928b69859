// A playlist text in which every address may carry the query of the viewer's own request: written once, completed per viewer.

export class PlaylistText {
  /** The query stands between two pieces. */
  readonly #pieces: string[] = [''];
  /** The last completed one: viewers without a query of their own share it. */
  #completed: { readonly query: string; readonly body: Buffer } | undefined;

  line(text: string): void {
    this.#append(`${text}\n`);
  }

  /** A line with the address of a file beside the playlist. */
  uri(before: string, fileName: string, after: string): void {
    this.#append(before + encodeURIComponent(fileName));
    this.#pieces.push(`${after}\n`);
  }

  /** @param query with its question mark, or ''. */
  toBody(query: string): Buffer {
    if (this.#completed?.query !== query) this.#completed = { query, body: Buffer.from(this.#pieces.join(query)) };
    return this.#completed.body;
  }

  #append(text: string): void {
    this.#pieces[this.#pieces.length - 1] += text;
  }
}
