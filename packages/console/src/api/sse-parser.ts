// Parses text/event-stream (WHATWG HTML §9.2.6) that arrives in pieces of any size. Pure.

export interface SseMessage {
  /** Name of the event; `message` if the stream does not name it. */
  event: string;
  data: string;
  /** Last received event id; '' without one. */
  id: string;
}

/** Maximum length of an unfinished line, characters. Lines of this product are shorter. */
const maxMessageLength = 1_000_000;

/**
 * Returns a function that takes the next piece of text and returns the completed messages.
 * @throws if an unfinished line exceeds the maximum length.
 */
export function createSseParser(): (piece: string) => SseMessage[] {
  let rest = '';
  let event = '';
  let data: string[] = [];
  let id = '';

  const takeField = (line: string) => {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
    else if (name === 'id' && !value.includes('\0')) id = value;
  };
  const dispatch = (): SseMessage[] => {
    const message = { event: event || 'message', data: data.join('\n'), id };
    const hasData = data.length > 0;
    event = '';
    data = [];
    return hasData ? [message] : [];
  };

  return (piece) => {
    const text = rest + piece;
    // A carriage return at the end may be the first half of CRLF, so the parser waits for the next piece.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    if (rest.length > maxMessageLength) throw new Error('a line of the event stream is too long');
    return lines.flatMap((line) => {
      if (line === '') return dispatch();
      if (!line.startsWith(':')) takeField(line);
      return [];
    });
  };
}
