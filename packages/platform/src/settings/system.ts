// Information about the running system: version, environment of the console, readiness.
import {
  AppError,
  because,
  defaultRtcPort,
  defaultRtmpPort,
  defaultSrtPort,
  type Environment,
  type endpoints,
  type ResponseOf,
  supportedLocales,
} from '@srs-stack/contract';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { z } from 'zod';
import type { DocumentType, Store } from '../store/store.ts';
import type { PublishSecret } from '../streams/publish-secret.ts';
import type { Upgrades } from './upgrades/upgrades.ts';

const localeDocument: DocumentType<string> = { key: 'locale', schema: z.string(), empty: '' };
/** Stored if the console has no texts in the language of the browser. */
const otherLocale = 'un';
/** Minimum interval between writes of the console's locale, milliseconds: the call that writes the locale needs no credential. */
const localeIntervalMs = 60_000;
const knownLocales: readonly string[] = supportedLocales;

interface SystemFacts {
  readonly version: string;
  readonly shownPorts: Readonly<Record<'rtmp' | 'http' | 'rtsp' | 'srt' | 'rtc', string>>;
  readonly hasCandidate: boolean;
  readonly isInDocker: boolean;
  readonly taskLimits: { readonly forward: number; readonly vlive: number; readonly camera: number };
}

export interface System {
  version(): string;
  status(): Promise<ResponseOf<typeof endpoints.status>>;
  /** Throws `storeNotReady` until the store is initialized. */
  check(): Promise<{ upgrading: boolean }>;
  environment(locale: string | undefined): Promise<Environment>;
}

export interface SystemDeps {
  readonly store: Store;
  readonly publishSecret: PublishSecret;
  readonly facts: SystemFacts;
  readonly boundPorts: () => Promise<BoundPorts | undefined>;
  readonly now: () => Date;
  readonly upgrades: Pick<Upgrades, 'summary'>;
}

export function createSystem(deps: SystemDeps): System {
  const { store, publishSecret, facts, boundPorts, now, upgrades } = deps;
  const tag = `v${facts.version}`;
  let writtenMs = Number.NEGATIVE_INFINITY;
  /** Writes rarely and only changes: the call needs no credential, and each write waits for the disk. */
  const rememberLocale = async (locale: string) => {
    const next = knownLocales.includes(locale) ? locale : otherLocale;
    const nowMs = now().getTime();
    if (Math.abs(nowMs - writtenMs) < localeIntervalMs || (await store.get(localeDocument)) === next) return;
    writtenMs = nowMs;
    await store.set(localeDocument, next);
  };
  return {
    version: () => facts.version,
    async status() {
      // Makes no network request. Without a result of the last update check, shows the running release.
      const { found, auto, isRunning } = await upgrades.summary();
      const [stable, latest] = [found?.stable, found?.development].map((each) => (each ? `v${each.version}` : tag));
      return {
        version: tag,
        releases: { version: tag, stable: stable ?? tag, latest: latest ?? tag, checkedAt: found?.checkedAt ?? null },
        upgrading: isRunning,
        strategy: auto ? 'auto' : 'manual',
      };
    },
    async check() {
      const locale = await store.get(localeDocument).catch(() => undefined);
      if (locale === undefined || !publishSecret.current().publish)
        throw new AppError('storeNotReady', because('store.named', { store: store.name }));
      return { upgrading: (await upgrades.summary()).isRunning };
    },
    async environment(locale) {
      if (locale !== undefined) await rememberLocale(locale);
      const bound = await boundPorts();
      const { shownPorts, taskLimits } = facts;
      return {
        mgmtDocker: true,
        platformDocker: facts.isInDocker,
        candidate: facts.hasCandidate,
        rtmpPort: shownPorts.rtmp || portText(bound?.rtmp) || defaultRtmpPort,
        httpPort: shownPorts.http,
        srtPort: shownPorts.srt || portText(bound?.srt) || defaultSrtPort,
        rtcPort: shownPorts.rtc || portText(bound?.rtc) || defaultRtcPort,
        ...optionalPorts(bound, shownPorts.rtsp),
        forwardLimit: taskLimits.forward,
        vLiveLimit: taskLimits.vlive,
        cameraLimit: taskLimits.camera,
      };
    },
  };
}

function optionalPorts(bound: BoundPorts | undefined, shownRtsp: string) {
  return {
    ...(bound?.https && { httpsPort: portText(bound.https) }),
    ...(bound?.rtmps && { rtmpsPort: portText(bound.rtmps) }),
    ...(bound?.rtsp && { rtspPort: shownRtsp || portText(bound.rtsp) }),
  };
}

function portText(port: number | null | undefined): string {
  return port ? String(port) : '';
}
