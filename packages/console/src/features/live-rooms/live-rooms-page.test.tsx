import { storageKeys } from '@srs-stack/contract';
import { newAssistant, type RoomState } from '@srs-stack/contract/models/live-room.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const roomRow = (change: Partial<RoomState> = {}): RoomState => ({
  room: {
    ...{ uuid: 'room-1', title: 'Talk', stream: 'a1b2c3d4e5f6', secret: '0011223344AABBCC', ...newAssistant },
    ...{ roomToken: 'token', created_at: '2026-01-02T03:04:05Z', startsAt: null },
  },
  ...{ invitations: [], publisher: null, viewers: 0, ...change },
});
const ada = {
  ...{ id: 'ada', name: 'Ada', createdAt: '2026-01-02T03:04:05Z', expiresAt: '2099-01-02T03:04:05Z', value: 'inv-ada' },
};
const onAir = { protocol: 'rtc', ip: '203.0.113.7', uptimeMs: 65_000, bitrateKbps: 2_500, guest: 'Ada' };

function serve(rooms: RoomState[]) {
  const state = { rooms };
  return startFakeServer({
    queryRoomStates: () => ({ rooms: state.rooms }),
    createRoom: ({ title = '', startsAt = null }) => {
      const made = roomRow();
      state.rooms = [{ ...made, room: { ...made.room, title, startsAt } }];
      return state.rooms[0]!.room;
    },
    createRoomInvitation: ({ name = '' }) => {
      state.rooms = state.rooms.map((each) => ({ ...each, invitations: [{ ...ada, name }] }));
      return { ...ada, name };
    },
    revokeRoomInvitation: () => {
      state.rooms = state.rooms.map((each) => ({ ...each, invitations: [] }));
      return null;
    },
    updateRoom: ({ secret = '' }) => ({ ...roomRow().room, secret }),
    removeRoom: () => {
      state.rooms = [];
      return null;
    },
  });
}

test('suggests the first room, which needs only a title', async () => {
  const server = serve([]);
  await renderApp('/en/routers-rooms', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Create a room' }));
  await userEvent.click(screen.getByRole('button', { name: 'Create room' }));
  expect(screen.getByText('Enter a title')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Title'), 'Interview');
  await userEvent.click(screen.getByRole('button', { name: 'Create room' }));
  expect(await screen.findByRole('heading', { name: 'Interview' })).toBeTruthy();
  expect(server.callsOf('createRoom')[0]!.body).toMatchObject({ title: 'Interview', startsAt: null });
});

test('a room shows who is on the air; the confirmation of its removal states what is disconnected', async () => {
  const server = serve([roomRow({ publisher: onAir, viewers: 3, invitations: [ada] })]);
  await renderApp('/en/routers-rooms', 'en');
  const list = within(await screen.findByRole('list', { name: 'Live rooms' }));
  expect(list.getByText(/On the air: guest Ada\./)).toBeTruthy();
  expect(list.getByText('WebRTC · for 1:05 · 2.5 Mbps · 3 viewers')).toBeTruthy();
  await userEvent.click(list.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText(/publisher and 3 viewers are disconnected/)).toBeTruthy();
  expect(server.callsOf('removeRoom')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('No live rooms yet')).toBeTruthy();
});

test('a guest is invited with a link, which is hidden until requested, and can be revoked', async () => {
  const server = serve([roomRow()]);
  await renderApp('/en/routers-rooms', 'en');
  await userEvent.type(await screen.findByLabelText('Name of the guest'), 'Ada');
  await userEvent.click(screen.getByRole('button', { name: 'Invite a guest' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Show Invitation link of Ada' }));
  expect(screen.getByText(/\/players\/guest\.html#inv-ada$/)).toBeTruthy();
  expect(server.callsOf('createRoomInvitation')[0]!.body).toMatchObject({ uuid: 'room-1', name: 'Ada', hours: 24 });
  await userEvent.click(screen.getByRole('button', { name: 'Revoke' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(server.callsOf('revokeRoomInvitation')[0]!.body).toMatchObject({ id: 'ada' }));
});

test('a new secret has the right form and requires a confirmation', async () => {
  const server = serve([roomRow()]);
  await renderApp('/en/routers-rooms', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'New secret' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(server.callsOf('updateRoom')).toHaveLength(1));
  expect(Object.keys(server.callsOf('updateRoom')[0]!.body as object).sort()).toContain('secret');
  expect((server.callsOf('updateRoom')[0]!.body as { secret: string }).secret).toMatch(/^[0-9A-F]{16}$/);
});

test('a room in Chinese shows when guests can join', async () => {
  serve([{ ...roomRow(), room: { ...roomRow().room, startsAt: '2099-01-02T03:04:05Z' } }]);
  await renderApp('/zh/routers-rooms', 'zh');
  expect(await screen.findByText(/没有人在推流。嘉宾从 2099-01-0/)).toBeTruthy();
});
