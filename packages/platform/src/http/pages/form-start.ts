// Parses the beginning of a multipart form (RFC 7578) before authentication. The field `token` must precede the file.

/** Longest boundary, characters (RFC 2046 §5.1.1). */
const maxBoundaryLength = 70;
const contentType = /^multipart\/form-data *;.*?\bboundary=(?:"([^"]+)"|([^\s;"]+))/i;
const lineEnd = '\r\n';
const headersEnd = '\r\n\r\n';

export type FormStart =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'token'; readonly token: string }
  /** The body is not a form, starts with a file, or ends without a token. */
  | { readonly kind: 'no-token' };

const incomplete: FormStart = { kind: 'incomplete' };
const noToken: FormStart = { kind: 'no-token' };

/** The boundary in the header `Content-Type`; undefined when the body is not a form. */
export function boundaryOf(header: string | undefined): string | undefined {
  const [, quoted, plain] = contentType.exec(header ?? '') ?? [];
  const boundary = quoted ?? plain;
  return boundary !== undefined && boundary.length <= maxBoundaryLength ? boundary : undefined;
}

/** @param start all bytes of the body that have arrived so far. */
export function readFormStart(start: Buffer, boundary: string): FormStart {
  // In latin1, positions in the text equal positions in the body.
  const text = start.toString('latin1');
  const delimiter = `--${boundary}`;
  if (!text.startsWith(delimiter)) return delimiter.startsWith(text) ? incomplete : noToken;
  for (let at = delimiter.length; ; ) {
    const afterDelimiter = text.slice(at, at + lineEnd.length);
    if (afterDelimiter !== lineEnd) return lineEnd.startsWith(afterDelimiter) ? incomplete : noToken;
    const headEnd = text.indexOf(headersEnd, at);
    const names = partNames(text.slice(at, headEnd < 0 ? undefined : headEnd));
    if (names.isFile) return noToken;
    if (headEnd < 0) return incomplete;
    const valueStart = headEnd + headersEnd.length;
    const valueEnd = text.indexOf(lineEnd + delimiter, valueStart);
    if (valueEnd < 0) return incomplete;
    if (names.name === 'token') return { kind: 'token', token: text.slice(valueStart, valueEnd) };
    at = valueEnd + lineEnd.length + delimiter.length;
  }
}

function partNames(headers: string): { name: string | undefined; isFile: boolean } {
  const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? '';
  return {
    name: /; *name=(?:"([^"]*)"|([^\s;"]+))/i
      .exec(disposition)
      ?.slice(1)
      .find((each) => each !== undefined),
    isFile: /; *filename\*?=/i.test(disposition),
  };
}
