// Stored data of an admitted HLS viewer. Texts from the client are truncated to what callbacks and lists need, so that every viewer uses
// about the same memory. Pure.
import type { SessionInfo } from '../../session-info.ts';
import { copyText, cutText } from '../../util/cut-text.ts';

/** Query that is kept, characters: signed links have some hundred, tokens of an operator's service up to two thousand. */
const maxParam = 2_048;
/** Page URL that is kept, characters: browsers send other sites only its origin. */
const maxPageUrl = 1_024;
/** `tcUrl` that is kept, characters: a host name has up to 253, an application name less. */
const maxTcUrl = 512;

/** Returns the data with shortened texts; the same object when nothing exceeds the limits. */
export function keptSession(info: SessionInfo): SessionInfo {
  const { app, stream, param, pageUrl, tcUrl } = info;
  if (param.length <= maxParam && pageUrl.length <= maxPageUrl && tcUrl.length <= maxTcUrl) return info;
  return {
    ...info,
    // Copies, because these are substrings of the request target, which they would keep in memory.
    app: copyText(app),
    stream: copyText(stream),
    param: cutText(param, maxParam),
    pageUrl: cutText(pageUrl, maxPageUrl),
    tcUrl: cutText(tcUrl, maxTcUrl),
  };
}

/** Characters of the texts from the client. */
export function textLength({ param, tcUrl, pageUrl, userAgent = '' }: SessionInfo): number {
  return param.length + tcUrl.length + pageUrl.length + userAgent.length;
}
