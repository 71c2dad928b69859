import { newAssistant, type RoomState } from '@srs-stack/contract/models/live-room.ts';

const invitation = (id: string, name: string, expiresAt: string) => ({
  ...{ id, name, createdAt: '2026-01-02T03:04:05Z', expiresAt },
  value: `inv-${'5f0c1e2d111142228333444455556666'}-${id.padEnd(16, '0')}-${'ab'.repeat(16)}`,
});

const roomState = (uuid: string, title: string, change: Partial<RoomState> = {}): RoomState => ({
  room: {
    ...{ uuid, title, stream: 'a1b2c3d4e5f6', secret: '0011223344AABBCC', ...newAssistant },
    ...{ roomToken: 'token', created_at: '2026-01-02T03:04:05Z', startsAt: null },
  },
  ...{ invitations: [], publisher: null, viewers: 0, ...change },
});

const later = roomState('room-2', 'Q&A with the team');

export const rooms: readonly RoomState[] = [
  roomState('room-1', 'Friday interview', {
    invitations: [invitation('a1', 'Ada', '2099-01-02T03:04:05Z'), invitation('e2', 'Eve', '2026-01-02T04:04:05Z')],
    publisher: { protocol: 'rtc', ip: '203.0.113.7', uptimeMs: 754_000, bitrateKbps: 2_480, guest: 'Ada' },
    viewers: 42,
  }),
  { ...later, room: { ...later.room, startsAt: '2099-01-02T03:04:05Z' } },
  roomState('room-3', 'Studio'),
];
