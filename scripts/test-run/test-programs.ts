// System programs that tests use in addition to FFmpeg: a browser, a second encoder, libsrt's own tool, certificates, Redis.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ffmpeg, firstLineOf, type SystemProgram } from '../../packages/stack/src/system-programs.ts';
import { browserPath, headlessShell } from './browser-path.ts';

/** Elements of GStreamer, which is the second encoder of the tests and the second player for SRT and RTSP. */
const gstreamerElements = [
  'rtmp2sink',
  'rtmpsink',
  'flvmux',
  'x264enc',
  'videotestsrc',
  'voaacenc',
  'mpegtsmux',
  'srtsink',
  'srtsrc',
  'rtspsrc',
  'rtspclientsink',
];

const typelibFolders = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (machine) => `/usr/lib/${machine}/girepository-1.0`,
);

export const testPrograms: readonly SystemProgram[] = [
  ffmpeg,
  {
    title: 'Chromium without windows',
    packages: ['chromium-headless-shell'],
    isPresent: () => existsSync(headlessShell),
    hasSubstitute: () => existsSync(browserPath),
  },
  {
    title: 'GStreamer with rtmp2sink, srtsink and rtspclientsink',
    packages: [
      'gstreamer1.0-tools',
      'gstreamer1.0-plugins-base',
      'gstreamer1.0-plugins-good',
      'gstreamer1.0-plugins-bad',
      'gstreamer1.0-plugins-ugly',
      'gstreamer1.0-rtsp',
    ],
    isPresent: () => gstreamerElements.every((element) => firstLineOf('gst-inspect-1.0', [element]) !== ''),
  },
  {
    title: "GStreamer's RTSP server, the camera of tests",
    packages: ['python3-gi', 'gir1.2-gst-rtsp-server-1.0'],
    isPresent: () => typelibFolders.some((folder) => existsSync(`${folder}/GstRtspServer-1.0.typelib`)),
  },
  {
    title: 'srt-live-transmit of libsrt',
    packages: ['srt-tools'],
    isPresent: () => existsSync('/usr/bin/srt-live-transmit'),
  },
  {
    title: 'a Redis server',
    packages: ['redis-server'],
    isPresent: () => firstLineOf('redis-server', ['--version']) !== '',
  },
  {
    title: 'OpenSSL',
    packages: ['openssl'],
    isPresent: () => existsSync('/usr/bin/openssl'),
  },
  {
    title: 'nginx, HAProxy and Caddy, to test the generated configurations; nginx is also a target of forwards',
    packages: ['nginx-light', 'libnginx-mod-stream', 'libnginx-mod-rtmp', 'haproxy', 'caddy'],
    isPresent: () =>
      [
        '/usr/sbin/nginx',
        '/usr/lib/nginx/modules/ngx_stream_module.so',
        '/usr/lib/nginx/modules/ngx_rtmp_module.so',
        '/usr/sbin/haproxy',
        '/usr/bin/caddy',
      ].every((path) => existsSync(path)),
  },
  {
    title: 'fontconfig with a font for Chinese, for the texts of slates',
    packages: ['fontconfig', 'fonts-wqy-zenhei'],
    isPresent: () => firstLineOf('fc-list', [':charset=76f4', 'family']) !== '',
  },
  {
    title: 'mpv, a player of HLS',
    packages: ['mpv'],
    isPresent: () => existsSync('/usr/bin/mpv'),
  },
  {
    title: 'unzip, for the Helm package from npm',
    packages: ['unzip'],
    isPresent: () => existsSync('/usr/bin/unzip'),
  },
  {
    title: 'Pebble, an ACME server for tests',
    packages: ['pebble'],
    isPresent: () => ['/usr/bin/pebble', '/usr/bin/pebble-challtestsrv'].every((path) => existsSync(path)),
  },
];

/** Packages that compile the addon for the other architecture. */
const crossCompiler =
  process.arch === 'arm64'
    ? ['gcc-x86-64-linux-gnu', 'libc6-dev-amd64-cross']
    : ['gcc-aarch64-linux-gnu', 'libc6-dev-arm64-cross'];

const fuzzRuntimes = ['libclang_rt.fuzzer-x86_64.a', 'libclang_rt.fuzzer-aarch64.a'];

export const longTestPrograms: readonly SystemProgram[] = [
  {
    title: 'compilers for the addon of WebRTC, for this machine and arm64',
    packages: ['gcc', 'libc6-dev', 'libssl-dev', ...crossCompiler],
    isPresent: () =>
      ['x86_64-linux-gnu-gcc', 'aarch64-linux-gnu-gcc'].every(
        (compiler) => firstLineOf(compiler, ['-dumpfullversion']) !== '',
      ) &&
      ['/usr/include/stdlib.h', '/usr/include/openssl/evp.h'].every((path) => existsSync(path)) &&
      ['aarch64', 'x86_64'].some((name) => existsSync(`/usr/${name}-linux-gnu/include/stdlib.h`)),
    // Without these compilers, the builds are skipped with a message.
    hasSubstitute: () => true,
  },
  {
    title: 'clang with libFuzzer, for the fuzz target of the addon',
    packages: ['clang', 'libclang-rt-dev'],
    isPresent: () => fuzzRuntimes.some((name) => existsSync(join(firstLineOf('clang', ['-print-runtime-dir']), name))),
    hasSubstitute: () => true,
  },
  {
    title: 'libsrtp, with which the SRTP of the addon is compared',
    packages: ['libsrtp2-dev'],
    isPresent: () => existsSync('/usr/include/srtp2/srtp.h'),
    hasSubstitute: () => true,
  },
];
