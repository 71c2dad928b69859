// Starts node-media-server (the peer of the comparison) on loopback.
//   node nms-run.cjs <rtmp port> <http port> <data dir>
const NodeMediaServer = require('node-media-server');

const [rtmp, http, data] = process.argv.slice(2);
new NodeMediaServer({
  bind: '127.0.0.1',
  rtmp: { port: Number(rtmp) },
  http: { port: Number(http) },
  record: { auto: false },
  store: { path: data },
  webadmin: { enable: false },
  auth: { play: false, publish: false },
}).run();
