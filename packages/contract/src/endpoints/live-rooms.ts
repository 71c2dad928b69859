import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import {
  maxInvitationHours,
  maxInvitationLength,
  maxLabelLength,
  maxNameLength,
  maxRoomTitleLength,
} from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { liveRoom, liveRoomChange, roomInvitation, roomState } from '../models/live-room.ts';
import { paths } from '../paths.ts';
import { invitationStates } from '../values/live-rooms.ts';

const tag = 'Live rooms';
const token = z.string().optional();
const uuid = z.string().max(maxNameLength);

export const listRooms = defineEndpoint({
  ...paths.listRooms,
  tag,
  summary: 'Lists the live rooms, newest first. Publishing to a room requires the secret of that room.',
  request: emptyRequest,
  response: z.object({ rooms: z.array(liveRoom) }),
});

export const queryRoomStates = defineEndpoint({
  ...paths.queryRoomStates,
  tag,
  summary: 'Lists the live rooms with their invitations, publisher and number of viewers.',
  request: emptyRequest,
  response: z.object({ rooms: z.array(roomState) }),
});

export const createRoom = defineEndpoint({
  ...paths.createRoom,
  tag,
  summary: 'Creates a live room with its own stream and secret.',
  request: z.object({
    token,
    title: z.string().trim().max(maxRoomTitleLength).default(''),
    startsAt: liveRoom.shape.startsAt.default(null),
  }),
  response: liveRoom,
});

export const queryRoom = defineEndpoint({
  ...paths.queryRoom,
  tag,
  summary: 'Returns one live room.',
  request: z.object({ token, uuid }),
  response: liveRoom,
});

export const updateRoom = defineEndpoint({
  ...paths.updateRoom,
  tag,
  summary: 'Changes a live room. A new secret or stream disconnects the publisher and revokes all invitations.',
  request: liveRoomChange.extend({ token, uuid }),
  response: liveRoom,
});

export const removeRoom = defineEndpoint({
  ...paths.removeRoom,
  tag,
  summary: 'Removes a live room and disconnects its publisher.',
  request: z.object({ token, uuid }),
  response: nullData,
});

export const createRoomInvitation = defineEndpoint({
  ...paths.createRoomInvitation,
  tag,
  summary: 'Creates an invitation with which a guest publishes to the room from the browser.',
  request: z.object({
    token,
    uuid,
    name: z.string().trim().max(maxLabelLength).default(''),
    hours: z.number().positive().max(maxInvitationHours).default(24),
  }),
  response: roomInvitation,
});

export const revokeRoomInvitation = defineEndpoint({
  ...paths.revokeRoomInvitation,
  tag,
  summary: 'Revokes an invitation and disconnects the guest that publishes with it.',
  request: z.object({ token, uuid, id: z.string().max(maxNameLength) }),
  response: nullData,
});

export const queryInvitation = defineEndpoint({
  ...paths.queryInvitation,
  tag,
  summary:
    'Returns the room of an invitation and whether the invitation can be used now. The invitation is the only credential.',
  request: z.object({ invitation: z.string().max(maxInvitationLength) }),
  response: z.object({
    state: z.enum(invitationStates),
    title: z.string(),
    app: z.string(),
    stream: z.string(),
    startsAt: z.string().nullable(),
    expiresAt: z.string().nullable(),
  }),
});
