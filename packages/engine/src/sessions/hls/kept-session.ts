// Stored data of an HLS viewer. Texts from the client are truncated to what callbacks and lists need. All viewers then use about the same
// memory.
import type { SessionInfo } from '../../session-info.ts';
import { copyText, cutText } from '../../util/cut-text.ts';

/** Maximum length of a kept query, characters. Signed links have some hundred, tokens of operators up to two thousand. */
const maxParam = 2_048;
/** Maximum length of a kept page URL, characters. Browsers send only the origin to other sites. */
const maxPageUrl = 1_024;
/** Maximum length of a kept `tcUrl`, characters. A host name has up to 253, an app name less. */
const maxTcUrl = 512;

/** Shortens the texts. Returns the same object if no text exceeds its limit. */
export function keptSession(info: SessionInfo): SessionInfo {
  const { app, stream, param, pageUrl, tcUrl } = info;
  if (param.length <= maxParam && pageUrl.length <= maxPageUrl && tcUrl.length <= maxTcUrl) return info;
  return {
    ...info,
    // Copies, because a substring would keep the whole request target in memory.
    app: copyText(app),
    stream: copyText(stream),
    param: cutText(param, maxParam),
    pageUrl: cutText(pageUrl, maxPageUrl),
    tcUrl: cutText(tcUrl, maxTcUrl),
  };
}

/** Number of characters of the texts from the client. */
export function textLength({ param, tcUrl, pageUrl, userAgent = '' }: SessionInfo): number {
  return param.length + tcUrl.length + pageUrl.length + userAgent.length;
}
