// The layers of the product, as rules over imports and code. `check-layers.ts` applies these rules; ARCHITECTURE.md explains them.
import type { ImportReference, SourceModule } from './source-modules.ts';

export interface LayerRule {
  /** The rule as a sentence, for the report. */
  readonly name: string;
  readonly applies: RegExp;
  /** Modules without this rule. A comment beside the pattern has the reason. */
  readonly except?: RegExp;
  readonly forbidsImport?: (reference: ImportReference, module: SourceModule) => boolean;
  /** Code that breaks the rule. Comments are ignored. */
  readonly forbidsCode?: RegExp;
}

const inputOutputModules =
  /^(?:node:)?(?:net|http|https|http2|tls|dgram|fs|fs\/promises|timers|timers\/promises|child_process|worker_threads|perf_hooks|dns)$/;
const clockOrTimer =
  /\b(?:setTimeout|setInterval|setImmediate|Date\.now|performance\.now|process\.hrtime)\b|\bnew Date\(\)/;
const packagesOf = (reference: ImportReference) => /^@srs-stack\/([a-z]+)/.exec(reference.specifier)?.[1];
const importsFolder = (pattern: RegExp) => (reference: ImportReference) => pattern.test(reference.target ?? '');

const allowedPackages: Record<string, readonly string[]> = {
  contract: [],
  srt: [],
  process: [],
  playback: ['process'],
  media: ['srt'],
  rtc: ['media'],
  engine: ['media', 'playback', 'process', 'rtc', 'srt'],
  gateway: ['contract', 'engine', 'media', 'playback', 'process', 'rtc'],
  platform: ['contract', 'media', 'playback', 'process', 'rtc'],
  console: ['contract'],
  stack: ['contract', 'process', 'rtc'],
};
/** Entry points of the contract that load zod. */
const contractSchemas =
  /^@srs-stack\/contract(?:$|\/(?:(?:catalogue|index)\.ts$|(?:endpoints|models)\/|wire\/(?!(?:srs-rows|lenient)\.ts$)))/;
const contractSchemaFile =
  /^packages\/contract\/src\/(?:(?:catalogue|index)\.ts$|(?:endpoints|models)\/|wire\/(?!(?:srs-rows|lenient)\.ts$))/;
/** A feature, which may also be a settings page. */
const consoleFeature = /^packages\/console\/src\/features\/((?:settings\/)?[^/]+)/;
const packageFolder = /^packages\/([a-z]+)\//;

/** A folder of the engine's sessions, usually for one protocol; `gate` is also such a folder. */
const engineSession = /^packages\/engine\/src\/sessions\/([^/]+)\//;

/** Modules of the control plane, from the highest to the lowest layer. Modules of a layer do not import each other. */
const platformLayers: readonly (readonly string[])[] = [
  ['http'],
  ['routes'],
  ['monitor'],
  ['tasks'],
  ['settings'],
  ['recording', 'certificates', 'files'],
  ['objects'],
  ['streams'],
  ['watching'],
  ['access', 'callbacks', 'media-server', 'workers'],
  ['leases'],
  ['nodes'],
  ['store', 'network'],
  ['concurrency'],
];
const platformModule = /^packages\/platform\/src\/([^/]+)\//;
/** Modules of the gateway's public servers, from the highest to the lowest layer. `public-front.ts` combines them. */
const frontLayers: readonly (readonly string[])[] = [
  ['server', 'platform', 'backends', 'webrtc'],
  ['files'],
  ['http'],
  ['limits'],
];
const frontModule = /^packages\/gateway\/src\/front\/([^/]+)\//;

/** Whether an import leads to a module that is not in a lower layer. Modules without a layer may not be imported. */
const leadsUp =
  (path: RegExp, layers: readonly (readonly string[])[]) =>
  (reference: ImportReference, module: SourceModule): boolean => {
    const layerOf = (name: string) => layers.findIndex((layer) => layer.includes(name));
    const from = path.exec(module.path)?.[1] ?? '';
    const to = path.exec(reference.target ?? '')?.[1];
    return to !== undefined && to !== from && !(layerOf(to) > layerOf(from));
  };

export const layerRules: readonly LayerRule[] = [
  {
    name: 'a package imports only the packages below it',
    applies: packageFolder,
    forbidsImport: (reference, module) => {
      const from = packageFolder.exec(module.path)?.[1] ?? '';
      const to = packagesOf(reference);
      return to !== undefined && to !== from && !allowedPackages[from]?.includes(to);
    },
  },
  {
    name: 'a package is imported by its name, never by a path into it',
    applies: packageFolder,
    forbidsImport: (reference, module) => {
      const to = packageFolder.exec(reference.target ?? '')?.[1];
      return to !== undefined && to !== packageFolder.exec(module.path)?.[1];
    },
  },
  {
    name: 'the data plane and the console load no schemas, which cost 20 MB, 70 ms and a fifth of the login page: both import plain files of the contract, and types of the rest',
    applies: /^packages\/(?:gateway|console)\/src\//,
    // This module is loaded only in development and tests.
    except: /^packages\/console\/src\/api\/schema-check\.ts$/,
    forbidsImport: ({ specifier, isType }) => !isType && (specifier === 'zod' || contractSchemas.test(specifier)),
  },
  {
    name: 'the console identifies phrases by their keys: only English pages load the English texts of the contract',
    applies: /^packages\/console\/src\//,
    except: /^packages\/console\/src\/i18n\/contract-texts\.ts$/,
    forbidsImport: ({ specifier, isType }) =>
      !isType && /^@srs-stack\/contract\/(?:refusal-details|setting-changes|worker-details)\.ts$/.test(specifier),
  },
  {
    name: 'the plain files of the contract load no schemas',
    applies: /^packages\/contract\/src\/(?:(?:values\/)?[^/]+|wire\/(?:srs-rows|lenient))\.ts$/,
    except: /^packages\/contract\/src\/(?:catalogue|index)\.ts$/,
    forbidsImport: ({ specifier, target = '', isType }) =>
      !isType && (specifier === 'zod' || contractSchemaFile.test(target)),
  },
  {
    name: 'media, contract and playback are pure: no sockets, files, timers or clock',
    applies: /^packages\/(?:media|contract|playback)\/src\//,
    forbidsImport: (reference) => inputOutputModules.test(reference.specifier),
    forbidsCode: clockOrTimer,
  },
  {
    name: 'the hub depends on no protocol',
    applies: /^packages\/engine\/src\/hub\//,
    forbidsImport: (reference) =>
      /^@srs-stack\/media\/(?:protocols|containers)\//.test(reference.specifier) ||
      importsFolder(/^packages\/engine\/src\/(?:ingest|egress|sessions|listeners)\//)(reference),
    forbidsCode: /\b\w*(?:rtmp|srt|hls|flv|whip|whep|webrtc|rtsp)\w*\b/i,
  },
  {
    name: 'ingest imports no egress, sessions or listeners',
    applies: /^packages\/engine\/src\/ingest\//,
    forbidsImport: importsFolder(/^packages\/engine\/src\/(?:egress|sessions|listeners)\//),
  },
  {
    name: 'egress imports no ingest, sessions or listeners',
    applies: /^packages\/engine\/src\/egress\//,
    forbidsImport: importsFolder(/^packages\/engine\/src\/(?:ingest|sessions|listeners)\//),
  },
  {
    name: 'sessions do not import listeners',
    applies: engineSession,
    forbidsImport: importsFolder(/^packages\/engine\/src\/listeners\//),
  },
  {
    name: 'sessions of one protocol do not import those of another, except HTTP for HLS, the gate, and paced reads',
    applies: engineSession,
    forbidsImport: (reference, module) => {
      const from = engineSession.exec(module.path)?.[1];
      const to = engineSession.exec(reference.target ?? '')?.[1];
      return to !== undefined && to !== from && to !== 'gate' && to !== 'reads' && !(from === 'hls' && to === 'http');
    },
  },
  {
    name: 'only the gate requests authorization from the host, counts players and reports their end',
    applies: /^packages\/engine\/src\/(?:ingest|egress|sessions|listeners)\//,
    except: /^packages\/engine\/src\/sessions\/gate\//,
    forbidsCode: /\.(?:authorizePlay|authorizePublish|addPlayer|onStop)\b/,
  },
  {
    name: 'only the gate replaces a publisher, after authorization; copies and delayed streams replace none',
    applies: /^packages\/engine\/src\/(?:ingest|egress|sessions|listeners)\//,
    // Delayed streams and tests of targets use their own hubs.
    except:
      /^packages\/engine\/src\/sessions\/(?:gate\/publish-gate|copy\/copy-pull|push\/(?:delay\/delayed-stream|target-test\/push-test))\.ts$/,
    forbidsCode: /\.(?:takeOver|yieldStream)\b|\bhub\.publish\b/,
  },
  {
    name: 'the servers and the supervisor import only `free-memory.ts` of the WebRTC transport directly',
    applies: /^packages\/(?:gateway|platform|stack)\/src\//,
    forbidsImport: ({ specifier }) => /^@srs-stack\/rtc(?!\/free-memory\.ts$)/.test(specifier),
  },
  {
    name: 'a module of the platform imports only modules of lower layers',
    applies: platformModule,
    forbidsImport: leadsUp(platformModule, platformLayers),
  },
  {
    name: 'a module of the public servers imports only modules of lower layers, and nothing that composes them',
    applies: frontModule,
    forbidsImport: (reference, module) =>
      leadsUp(frontModule, frontLayers)(reference, module) ||
      importsFolder(/^packages\/gateway\/src\/(?:app|run-gateway|front\/[^/]+)\.ts$/)(reference),
  },
  {
    name: 'routes import the contract and modules with rules, no store, workers or media server',
    applies: /^packages\/platform\/src\/routes\//,
    forbidsImport: importsFolder(/^packages\/platform\/src\/(?:store|workers|media-server)\//),
  },
  {
    name: 'the rules of the platform import no HTTP framework and no concrete store',
    applies: platformModule,
    except: /^packages\/platform\/src\/(?:http|routes)\//,
    forbidsImport: (reference, module) =>
      /^(?:fastify|@fastify\/)/.test(reference.specifier) ||
      (!module.path.startsWith('packages/platform/src/store/') &&
        /^packages\/platform\/src\/store\/(?:sqlite|redis)\//.test(reference.target ?? '')),
  },
  {
    name: 'console features do not import each other',
    applies: /^packages\/console\/src\/features\//,
    forbidsImport: (reference, module) => {
      const to = consoleFeature.exec(reference.target ?? '')?.[1];
      return to !== undefined && to !== consoleFeature.exec(module.path)?.[1];
    },
  },
  {
    name: 'console features do not import the frame (app) or the media console',
    applies: /^packages\/console\/src\/features\//,
    forbidsImport: importsFolder(/^packages\/console\/src\/(?:app|media-console)\//),
  },
  {
    name: 'shared modules of the console import no feature and not the frame (app)',
    applies: /^packages\/console\/src\/shared\//,
    forbidsImport: importsFolder(/^packages\/console\/src\/(?:app|features|media-console)\//),
  },
  {
    name: 'navigation, texts and calls of the console do not import the frame, features or shared modules',
    applies: /^packages\/console\/src\/(?:navigation|i18n|api|theme)\//,
    // This module imports only the types of all text files.
    except: /^packages\/console\/src\/i18n\/texts\.ts$/,
    forbidsImport: importsFolder(/^packages\/console\/src\/(?:app|features|shared|media-console)\//),
  },
  {
    name: 'the ui of the console imports no calls, features, shared modules or the frame (app)',
    applies: /^packages\/console\/src\/ui\//,
    forbidsImport: importsFolder(/^packages\/console\/src\/(?:api|app|features|media-console|navigation|shared)\//),
  },
  {
    name: 'player pages import only texts, colours and ui of the console',
    applies: /^packages\/console\/src\/players\//,
    forbidsImport: importsFolder(/^packages\/console\/src\/(?!players\/|i18n\/|theme\/|ui\/)/),
  },
  {
    name: 'console calls go through api/: no fetch and no endpoint path elsewhere',
    applies: /^packages\/console\/src\/(?!api\/)/,
    // testing/ contains the responder for calls of api/. players/ fetches only playlists, which are media and not calls.
    except: /^packages\/console\/src\/(?:testing|players)\//,
    forbidsCode: /\bfetch\(|['"`]\/(?:terraform|api)\/v1\//,
  },
];
