import { newAssistant } from '@srs-stack/contract/models/live-room.ts';
import { describe, expect, it } from 'vitest';
import { type Invitation, invitationOf, type KeptRoom, writeInvitation } from './room-invitations.ts';
import { judgeRoomPublisher, mayContinue } from './room-rules.ts';

const nowMs = Date.parse('2026-05-01T12:00:00Z');
const guest: Invitation = {
  ...{ id: '0123456789abcdef', name: 'Ada', createdAt: '2026-05-01T00:00:00Z', expiresAt: '2026-05-02T00:00:00Z' },
};
const keptRoom = (change: Partial<KeptRoom['room']> = {}, more: Partial<KeptRoom> = {}): KeptRoom => ({
  room: {
    ...{ uuid: '5f0c1e2d-1111-4222-8333-444455556666', title: 'Talk', stream: 'a1b2c3d4e5f6', ...newAssistant },
    ...{ secret: '0011223344AABBCC', roomToken: 't', created_at: '2026-05-01T00:00:00Z', startsAt: null, ...change },
  },
  signingKey: 'k'.repeat(64),
  invitations: [guest],
  ...more,
});
const room = keptRoom();
const other = keptRoom({ uuid: '99999999-1111-4222-8333-444455556666', stream: 'ffffffffffff', secret: 'DD' });
const judge = (secret: string, { rooms = [room, other], app = 'live', stream = 'a1b2c3d4e5f6', at = nowMs } = {}) =>
  judgeRoomPublisher(rooms, { app, stream, param: `?secret=${secret}` }, at);

describe('the stream of a room', () => {
  it.each([
    ['0011223344AABBCC', 'admitted'],
    ['0011223344aabbcc', 'secret-needed'],
    ['the-publish-secret', 'secret-needed'],
    ['', 'secret-needed'],
    ['DD', 'secret-needed'],
    [writeInvitation(room, guest), 'admitted'],
    [writeInvitation(other, guest), 'invitation-closed'],
    [`${writeInvitation(room, guest)}0`, 'secret-needed'],
  ])('%s → %s', (secret, verdict) => {
    expect(judge(secret)).toBe(verdict);
  });

  it('does not match another stream', () => {
    expect(judge('0011223344AABBCC', { stream: 'other' })).toBe('no-room');
    expect(judge('0011223344AABBCC', { app: 'elsewhere' })).toBe('no-room');
    expect(judge('0011223344AABBCC', { stream: 'ffffffffffff' })).toBe('secret-needed');
  });

  it('admits no publisher while its secret is empty', () => {
    expect(judge('', { rooms: [keptRoom({ secret: '' })] })).toBe('secret-needed');
  });
});

describe('an invitation', () => {
  const value = writeInvitation(room, guest);

  it('is refused before the start of its room and after its own end', () => {
    const later = keptRoom({ startsAt: '2026-05-01T13:00:00Z' });
    expect(judge(value, { rooms: [later] })).toBe('not-begun');
    expect(judge('0011223344AABBCC', { rooms: [later] })).toBe('admitted');
    expect(judge(value, { rooms: [later], at: Date.parse('2026-05-01T13:00:00Z') })).toBe('admitted');
    expect(judge(value, { at: Date.parse(guest.expiresAt) })).toBe('expired');
  });

  it('ends with its revocation, a new key or another stream, but its expiry does not end a running broadcast', () => {
    expect(mayContinue(room, { param: `secret=${value}` })).toBe(true);
    expect(mayContinue(keptRoom({}, { invitations: [] }), { param: `secret=${value}` })).toBe(false);
    expect(mayContinue(keptRoom({}, { signingKey: 'x' }), { param: `secret=${value}` })).toBe(false);
    expect(mayContinue(keptRoom({ stream: 'ffff' }), { param: `secret=${value}` })).toBe(false);
  });

  it('is invalid when any character is changed', () => {
    for (let at = 0; at < value.length; at++) {
      const wrong = `${value.slice(0, at)}${value[at] === '0' ? '1' : '0'}${value.slice(at + 1)}`;
      expect(invitationOf(room, wrong), wrong).toBeUndefined();
    }
    expect(invitationOf(keptRoom({}, { invitations: [{ ...guest, expiresAt: '2027-01-01T00:00:00Z' }] }), value)).toBe(
      undefined,
    );
  });
});
