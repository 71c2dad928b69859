// Rooms as the console shows them: with invitations, publisher and number of viewers.
import { defaultApp, type LiveStream } from '@srs-stack/contract';
import type { RoomState } from '@srs-stack/contract/models/live-room.ts';
import type { ActiveStreams } from './active-streams.ts';
import type { LiveRooms } from './live-rooms.ts';
import type { LiveView } from './live-view.ts';
import { secretValues } from './publish-secret-match.ts';
import { invitationOf, type KeptRoom, writeInvitation } from './room-invitations.ts';

export interface RoomStatesDeps {
  readonly liveRooms: Pick<LiveRooms, 'kept'>;
  readonly active: Pick<ActiveStreams, 'list'>;
  readonly view: LiveView;
}

export async function roomStates({ liveRooms, active, view }: RoomStatesDeps): Promise<RoomState[]> {
  const kept = liveRooms.kept();
  if (kept.length === 0) return [];
  const [{ streams }, published] = await Promise.all([view.query({ app: defaultApp }), active.list()]);
  return kept.map((each) => {
    const isOwn = ({ app, stream }: { app?: string | undefined; stream?: string | undefined }) =>
      app === defaultApp && stream === each.room.stream;
    const live = streams.find(isOwn);
    return {
      room: each.room,
      invitations: each.invitations.map((one) => ({ ...one, value: writeInvitation(each, one) })),
      publisher: live ? publisherOf(each, live, published.find(isOwn)?.param ?? '') : null,
      viewers: live?.viewers ?? 0,
    };
  });
}

function publisherOf(kept: KeptRoom, live: LiveStream, param: string): RoomState['publisher'] {
  const guest = secretValues(param)
    .map((value) => invitationOf(kept, value))
    .find((found) => found !== undefined);
  return {
    protocol: live.publisherProtocol,
    ip: live.publisherIp,
    uptimeMs: live.uptimeMs,
    bitrateKbps: live.bitrateKbps,
    guest: guest?.name ?? null,
  };
}
