import type * as calls from '@srs-stack/contract/endpoints/live-rooms.ts';
import type { Streams } from '../streams/open-streams.ts';
import { roomStates } from '../streams/room-states.ts';
import type { HandlersOf } from './handlers.ts';

export function liveRoomsRoutes(streams: Streams): HandlersOf<typeof calls> {
  const { liveRooms } = streams;
  return {
    listRooms: () => ({ rooms: liveRooms.list() }),
    queryRoomStates: async () => ({ rooms: await roomStates(streams) }),
    createRoom: ({ title, startsAt }, { actor }) => liveRooms.create({ title, startsAt }, actor),
    queryRoom: ({ uuid }) => liveRooms.get(uuid),
    updateRoom: ({ uuid, token: _, ...change }, { actor }) => liveRooms.update(uuid, change, actor),
    async removeRoom({ uuid }, { actor }) {
      await liveRooms.remove(uuid, actor);
      return null;
    },
    createRoomInvitation: ({ uuid, name, hours }, { actor }) => liveRooms.invite(uuid, { name, hours }, actor),
    async revokeRoomInvitation({ uuid, id }, { actor }) {
      await liveRooms.revoke(uuid, id, actor);
      return null;
    },
    queryInvitation: ({ invitation }) => liveRooms.invitation(invitation),
  };
}
