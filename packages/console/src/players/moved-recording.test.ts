import { afterEach, expect, test, vi } from 'vitest';
import { movedRecording } from './moved-recording.ts';

const page = 'https://live.example.com/tools/player.html';
const playlist = '/terraform/v1/hooks/record/hls/some-uuid.m3u8';
const fetched = vi.fn<typeof fetch>();

afterEach(() => vi.unstubAllGlobals());

function respond(type: ResponseType): void {
  fetched.mockReset();
  fetched.mockResolvedValue({ type } as Response);
  vi.stubGlobal('fetch', fetched);
}

test('the playlist of a recording that moved leads to its file, through this server and with the query', async () => {
  respond('opaqueredirect');
  expect(await movedRecording(`${playlist}?key=k`, page)).toBe(
    'https://live.example.com/terraform/v1/hooks/record/hls/some-uuid/index.mp4?key=k&via=server',
  );
  expect(fetched).toHaveBeenCalledExactlyOnceWith(expect.anything(), expect.objectContaining({ redirect: 'manual' }));
});

test('an existing playlist is played', async () => {
  respond('basic');
  expect(await movedRecording(playlist, page)).toBeUndefined();
});

test.each(['/live/a.m3u8', `https://elsewhere.example${playlist}`, `${playlist}x`, 'http://['])(
  'no request is sent for %s',
  async (url) => {
    respond('opaqueredirect');
    expect(await movedRecording(url, page)).toBeUndefined();
    expect(fetched).not.toHaveBeenCalled();
  },
);

test('while the server is unavailable the player handles it', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed')));
  expect(await movedRecording(playlist, page)).toBeUndefined();
});
