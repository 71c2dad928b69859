import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { SessionInfo } from '../../session-info.ts';

/** Session fields of a push for the log. A push does not count as a viewer. */
export function sessionOfPush({ vhost, app, stream }: StreamKey): SessionInfo {
  return { vhost, app, stream, clientId: '', type: 'rtmp-play', ip: '', param: '', tcUrl: '', pageUrl: '' };
}
