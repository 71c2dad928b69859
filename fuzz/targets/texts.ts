// Untrusted texts: addresses, names, paths, configuration files.

import { parseHlsPlaylist } from '@srs-stack/media/protocols/hls/hls-playlist.ts';
import { PlaylistPosition } from '@srs-stack/media/protocols/hls/playlist-position.ts';
import { bestVariant } from '@srs-stack/media/protocols/hls/variant-choice.ts';
import { parseStreamAddress } from '@srs-stack/media/protocols/rtmp/stream-url.ts';
import { parseSrtAddress } from '@srs-stack/media/protocols/srt/srt-address.ts';
import { parseSrtTarget } from '@srs-stack/media/protocols/srt/srt-target.ts';
import { parseTsAddress } from '@srs-stack/media/protocols/ts-udp/ts-address.ts';
import { WatchRights } from '@srs-stack/playback/access/watch-rights.ts';
import { parseSegmentName } from '../../packages/engine/src/egress/hls/segment-names.ts';
import { contextOf, toMediaUrl } from '../../packages/engine/src/sessions/hls/hls-context.ts';
import { parseMediaPath } from '../../packages/engine/src/sessions/http/media-path.ts';
import { toPlatformHeaders } from '../../packages/gateway/src/front/http/proxy-headers.ts';
import { pathnameOf, routeOf } from '../../packages/gateway/src/front/route-table.ts';
import { defaultHlsConfig, parseHlsConfig } from '../../packages/gateway/src/srs-config/hls-config.ts';
import { parseSrsConfig } from '../../packages/gateway/src/srs-config/srs-config-parser.ts';
import { parseTarget } from '../../packages/platform/src/callbacks/target-address.ts';
import { boundaryOf, readFormStart } from '../../packages/platform/src/http/pages/form-start.ts';
import { checkAddress, pullSchemes } from '../../packages/platform/src/network/address-rule.ts';
import { takeRunLimits } from '../../packages/platform/src/workers/run-limits.ts';
import { parseStreamId } from '../../packages/srt/src/stream-id.ts';
import { type FuzzTarget, parserTarget } from '../target.ts';

const seeds = (...texts: string[]) => texts.map((text) => Buffer.from(text));
const addresses = seeds(
  'rtmp://user:p%40ss@[::1]:1935/live/x?secret=a&b=c',
  'https://example.com/live/a.m3u8?t=1',
  'srt://h:9?streamid=#!::r=live/x,m=publish',
  'webrtc://h/live/x?eip=1.2.3.4:8000',
);

const watchRights = new WatchRights({
  rules: [{ pattern: 'live/*', mode: 'signed', passwordVersion: '' }],
  keys: [{ id: 'k1', secret: 'nobody knows it' }],
  serverSecret: 'nor this',
});

export const textTargets: FuzzTarget[] = [
  parserTarget({
    name: 'watch-link',
    seeds: seeds(
      `?watch=k1.4000000000.${'0'.repeat(64)}`,
      `hls_ctx=a&watch=k1.4000000000.s1.a.pbGl2ZS8q.${'f'.repeat(64)}&x=1`,
      `watch=C.4000000000.${'a'.repeat(64)}&watch=`,
    ),
    parse(input) {
      const request = { app: 'live', stream: input.toString('latin1', 0, 8), ip: '::1', param: input.toString() };
      if (watchRights.judge(request, 0).kind !== 'refused') throw new Error('accepted without the key');
    },
  }),
  parserTarget({
    name: 'hls-playlist',
    seeds: seeds(
      '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:2.0,\na.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:2,\nb.ts\n',
      '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS="avc1.64001f,mp4a.40.2",AUDIO="a"\nv.m3u8\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",URI="a.m3u8"\n',
      '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXT-X-GAP\n#EXTINF:2,\na.ts\n#EXT-X-ENDLIST\n',
    ),
    parse(input) {
      const playlist = parseHlsPlaylist(input.toString());
      if (playlist.kind === 'multivariant') return bestVariant(playlist);
      const position = new PlaylistPosition();
      position.load(playlist);
      let taken = 0;
      while (position.take()) taken++;
      return taken;
    },
  }),
  parserTarget({
    name: 'source-addresses',
    seeds: seeds(
      'udp://10.0.0.5@239.1.1.1:5000?sources=10.0.0.6&localaddr=10.0.0.2',
      'rtp://[ff05::1]:5000',
      'srt://h:9?latency=120',
    ),
    parse: (input) => [parseTsAddress(input.toString()), parseSrtTarget(input.toString())],
  }),
  parserTarget({
    name: 'addresses',
    seeds: addresses,
    refusals: ['AppError', 'ProtocolError'],
    parse(input) {
      const text = input.toString();
      takeRunLimits(text);
      parseStreamAddress(text, text, text);
      for (const parse of [parseTarget, (address: string) => checkAddress(address, pullSchemes)]) {
        try {
          parse(text);
        } catch (error) {
          if (!/AppError/.test((error as Error).constructor.name)) throw error;
        }
      }
    },
  }),
  parserTarget({
    name: 'stream-id',
    seeds: seeds('#!::h=a,r=live/x?secret=1,m=publish', 'live/x', '#!::u=admin,bmd_uuid=1', 'h/live/x?a=b'),
    refusals: ['ProtocolError', 'SrtProtocolError'],
    parse(input) {
      parseStreamId(input.toString());
      parseSrtAddress(input.toString());
    },
  }),
  parserTarget({
    name: 'paths',
    seeds: seeds(
      '/live/x.flv?a=1',
      '/live/x.m3u8?hls_ctx=abc',
      '/%2e%2e/x',
      'http://h/live/x.ts',
      '/rtc/v1/whip/?app=a',
    ),
    parse(input) {
      const text = input.toString('latin1');
      parseMediaPath(text);
      parseSegmentName(text);
      toMediaUrl(text, contextOf(text) ?? 'x');
      const pathname = pathnameOf(text);
      if (pathname !== undefined) routeOf(pathname);
    },
  }),
  parserTarget({
    name: 'headers',
    seeds: seeds('Host\nh\nConnection\nkeep-alive, X-Up\nX-Forwarded-For\n1.2.3.4, ::1\nCookie\na=b'),
    parse(input) {
      const headers = input.toString('latin1').split('\n');
      if (headers.length % 2 === 1) headers.push('');
      toPlatformHeaders(headers, { ip: '192.0.2.1', proto: 'http', host: 'h' } as never, headers[3]);
    },
  }),
  parserTarget({
    name: 'form-start',
    seeds: seeds(
      '--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nabc\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n',
      '--b\r\ncontent-disposition: form-data; name=note\r\n\r\nx\r\n--b--\r\n',
    ),
    parse(input) {
      readFormStart(input, 'b');
      readFormStart(input, boundaryOf(`multipart/form-data; boundary=${input.toString('latin1', 0, 80)}`) ?? 'x');
    },
  }),
  parserTarget({
    name: 'srs-config',
    seeds: seeds(
      'vhost __defaultVhost__ {\n  hls { enabled on; hls_fragment 2.5; hls_path "./x y"; }\n}\n# end',
      'include a;',
    ),
    refusals: ['SrsConfigError'],
    parse(input) {
      parseSrsConfig(input.toString());
      parseHlsConfig(input.toString(), defaultHlsConfig('/tmp'));
    },
  }),
];
