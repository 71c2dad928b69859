import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findViolations } from './check-layers.ts';
import { findCircles } from './import-circles.ts';
import { blankComments, readModules } from './source-modules.ts';

let checkout: string;
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'srs-stack-layers-'));
});
afterEach(() => rmSync(checkout, { recursive: true }));

function judge(path: string, text: string): string[] {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
  return findViolations(readModules(checkout, ['packages'])).map(({ place, what }) => `${place} ${what}`);
}

test.each([
  ['packages/engine/src/engine.ts', "import { z } from '@srs-stack/contract';", 'imports @srs-stack/contract'],
  ['packages/gateway/src/app.ts', "import x from '../../engine/src/engine.ts';", 'imports ../../engine/src/engine.ts'],
  ['packages/gateway/src/front/http/a.ts', "import '../files/b.ts';", 'imports ../files/b.ts'],
  ['packages/gateway/src/front/platform/a.ts', "import '../backends/b.ts';", 'imports ../backends/b.ts'],
  ['packages/gateway/src/front/server/a.ts', "import '../public-front.ts';", 'imports ../public-front.ts'],
  [
    'packages/gateway/src/a.ts',
    "import { z } from '@srs-stack/contract/wire/x.ts';",
    'imports @srs-stack/contract/wire/x.ts',
  ],
  ['packages/gateway/src/a.ts', "import {\n  z,\n} from '@srs-stack/contract';", 'imports @srs-stack/contract', 3],
  ['packages/console/src/app/a.ts', "import { x } from '@srs-stack/contract';", 'imports @srs-stack/contract'],
  ['packages/console/src/app/a.ts', "import { z } from 'zod';", 'imports zod'],
  [
    'packages/console/src/app/a.ts',
    "await import('@srs-stack/contract/models/x.ts');",
    'imports @srs-stack/contract/mo',
  ],
  ['packages/console/src/app/a.ts', "import '@srs-stack/contract/worker-details.ts';", 'imports @srs-stack/contract/w'],
  ['packages/contract/src/limits.ts', "import { z } from 'zod';", 'imports zod'],
  ['packages/contract/src/values/a.ts', "export * from '../models/b.ts';", 'imports ../models/b.ts'],
  ['packages/media/src/protocols/rtmp/a.ts', "import {\n  connect,\n} from 'node:net';", 'imports node:net', 3],
  ['packages/media/src/codecs/aac.ts', 'const at = Date.now();', 'uses Date.now'],
  ['packages/media/src/containers/flv/a.ts', 'setTimeout(flush, 10);', 'uses setTimeout'],
  ['packages/engine/src/hub/stream.ts', 'if (isRtmp) return;', 'uses isRtmp'],
  ['packages/engine/src/hub/stream.ts', "import '../egress/hls/x.ts';", 'imports ../egress/hls/x.ts'],
  ['packages/engine/src/ingest/a.ts', "export * from '../egress/b.ts';", 'imports ../egress/b.ts'],
  ['packages/engine/src/egress/a.ts', "const b = await import('../ingest/b.ts');", 'imports ../ingest/b.ts'],
  ['packages/engine/src/egress/a.ts', "import '../sessions/gate/b.ts';", 'imports ../sessions/gate/b.ts'],
  ['packages/engine/src/sessions/srt/a.ts', "import '../../listeners/b.ts';", 'imports ../../listeners/b.ts'],
  ['packages/engine/src/sessions/srt/a.ts', "import '../rtmp/b.ts';", 'imports ../rtmp/b.ts'],
  ['packages/engine/src/sessions/gate/a.ts', "import '../http/b.ts';", 'imports ../http/b.ts'],
  ['packages/engine/src/sessions/srt/a.ts', 'await ports.authorizePlay(info);', 'uses .authorizePlay'],
  ['packages/engine/src/listeners/a.ts', 'hub.addPlayer(info, owner);', 'uses .addPlayer'],
  ['packages/platform/src/routes/a.ts', "import { s } from '../store/store.ts';", 'imports ../store/store.ts'],
  ['packages/platform/src/streams/a.ts', "import type { F } from 'fastify';", 'imports fastify'],
  ['packages/platform/src/streams/a.ts', "import '../tasks/b.ts';", 'imports ../tasks/b.ts'],
  ['packages/platform/src/access/a.ts', "import '../callbacks/b.ts';", 'imports ../callbacks/b.ts'],
  ['packages/platform/src/store/a.ts', "import '../unlisted/b.ts';", 'imports ../unlisted/b.ts'],
  ['packages/console/src/features/live/a.tsx', "import '../forward/b.tsx';", 'imports ../forward/b.tsx'],
  ['packages/console/src/shared/a.tsx', "import '../features/live/b.tsx';", 'imports ../features/live/b.tsx'],
  ['packages/console/src/features/live/a.tsx', "import '../../app/shell/b.tsx';", 'imports ../../app/shell/b.tsx'],
  ['packages/console/src/features/settings/beian/a.tsx', "import '../hooks/b.tsx';", 'imports ../hooks/b.tsx'],
  ['packages/console/src/shared/a.tsx', "import '../app/shell/b.tsx';", 'imports ../app/shell/b.tsx'],
  ['packages/console/src/navigation/a.ts', "import '../shared/b.ts';", 'imports ../shared/b.ts'],
  ['packages/console/src/players/a.ts', "import '../api/b.ts';", 'imports ../api/b.ts'],
  ['packages/console/src/ui/a.tsx', "import '../navigation/b.ts';", 'imports ../navigation/b.ts'],
  ['packages/console/src/ui/a.tsx', "import { x } from '../api/b.ts';", 'imports ../api/b.ts'],
  ['packages/console/src/app/a.ts', "fetch('x');", 'uses fetch('],
  ['packages/console/src/features/live/a.ts', "const path = '/terraform/v1/mgmt/x';", "uses '/terraform/v1/"],
])('%s: reports the planted violation in %j', (path, text, what, line = 1) => {
  const violations = judge(path, text);
  expect(violations.map((violation) => violation.slice(0, `${path}:${line} ${what}`.length))).toContain(
    `${path}:${line} ${what}`,
  );
});

test.each([
  [
    'packages/gateway/src/b.ts',
    "import type { A } from '@srs-stack/contract/wire/x.ts';\nimport '@srs-stack/contract/errors.ts';",
  ],
  ['packages/contract/src/calls.ts', "import type { endpoints } from './catalogue.ts';\nimport './paths.ts';"],
  [
    'packages/console/src/app/a.ts',
    "import type { A } from '@srs-stack/contract';\nimport { calls } from '@srs-stack/contract/calls.ts';",
  ],
  ['packages/gateway/src/app.ts', "import { createEngine } from '@srs-stack/engine';"],
  ['packages/gateway/src/front/files/a.ts', "import '../http/b.ts';\nimport '../../front-settings.ts';"],
  ['packages/engine/src/hub/stream.ts', '// RTMP and HLS are named in comments only\nexport const a = 1;'],
  ['packages/engine/src/sessions/hls/a.ts', "import '../http/b.ts';\nimport '../gate/c.ts';"],
  ['packages/engine/src/sessions/gate/a.ts', 'await ports.authorizePlay(info);'],
  ['packages/media/src/protocols/rtmp/a.test.ts', "import { connect } from 'node:net';"],
  ['packages/platform/src/tasks/a.ts', "import '../streams/b.ts';\nimport '../store/store.ts';"],
  ['packages/console/src/api/client.ts', "fetch('/terraform/v1/mgmt/init');"],
  ['packages/console/src/features/live/a.tsx', "import './b.tsx';\nimport '../../shared/c.tsx';"],
  ['packages/console/src/features/settings/beian/a.tsx', "import './parts/b.tsx';\nimport '../../../navigation/c.ts';"],
  ['packages/console/src/app/shell/a.tsx', "import '../../features/live/b.tsx';"],
])('%s: allows %j', (path, text) => {
  expect(judge(path, text)).toEqual([]);
});

test('replaces comments with spaces, but not strings that look like comments', () => {
  const text = "const url = 'rtmp://host'; // note\n/* a\nb */ const x = `//host`;";
  expect(blankComments(text)).toBe("const url = 'rtmp://host';        \n    \n     const x = `//host`;");
});

test.each([
  ['values', "import { b } from './b.ts';", "import { a } from './a.ts';"],
  ['types', "import type { B } from './b.ts';", "export type { A } from './a.ts';"],
  ['a package and its name', "import { b } from './b.ts';", "import type { A } from '@srs-stack/media/a.ts';"],
])('finds a circular import of %s', (_what, a, b) => {
  judge('packages/media/src/a.ts', a);
  judge('packages/media/src/b.ts', b);
  expect(findCircles(readModules(checkout, ['packages']))).toEqual([
    ['packages/media/src/a.ts', 'packages/media/src/b.ts'],
  ]);
});

test('accepts two import paths to one module', () => {
  judge('packages/media/src/a.ts', "import './b.ts';\nimport './c.ts';");
  judge('packages/media/src/b.ts', "import './c.ts';");
  judge('packages/media/src/c.ts', '');
  expect(findCircles(readModules(checkout, ['packages']))).toEqual([]);
});
