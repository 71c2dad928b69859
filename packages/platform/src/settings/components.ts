// Parts of the product that the operator switches off and on: protocols of the embedded media server, and kinds of tasks.
// At once, for good, and without touching streams of other parts.
import {
  AppError,
  type ComponentName,
  changed,
  componentNames,
  type endpoints,
  protocolComponents,
  type ResponseOf,
  switched,
  taskComponents,
  verbatim,
} from '@srs-stack/contract';
import { z } from 'zod';
import type { MediaServer } from '../media-server/media-server.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import { openSetting } from '../store/setting.ts';
import type { DocumentType, Store } from '../store/store.ts';
import type { FrontFile } from './web-front/front-file.ts';

const offDocument: DocumentType<ComponentName[]> = {
  key: 'components-off',
  schema: z.array(z.enum(componentNames)),
  empty: [],
};

type Answer = ResponseOf<typeof endpoints.queryComponents>;
type Ports = Readonly<Record<'http' | 'rtmp' | 'srt' | 'rtc', number | null>>;

export interface Components {
  isEnabled(name: ComponentName): boolean;
  query(): Promise<Answer>;
  /** Throws `componentForeign` for what an SRS beside this product decides. */
  change(name: ComponentName, enabled: boolean, ip: string): Promise<void>;
  /** Puts every change into effect; what it throws undoes the change. */
  subscribe(listener: (name: ComponentName, enabled: boolean) => Promise<void>): void;
  /** Writes the file at boot. */
  apply(): Promise<void>;
}

export interface ComponentsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly frontFile: FrontFile;
  readonly engine: 'embedded' | 'srs';
  readonly mediaServer: Pick<MediaServer, 'identify'>;
  readonly boundPorts: () => Promise<Ports | undefined>;
}

const isProtocol = (name: ComponentName) => protocolComponents.some((each) => each === name);

export async function openComponents(deps: ComponentsDeps): Promise<Components> {
  const { store, audit, frontFile, engine, mediaServer, boundPorts } = deps;
  const listeners: ((name: ComponentName, enabled: boolean) => Promise<void>)[] = [];
  const writeFront = (list: readonly ComponentName[]) =>
    engine === 'embedded' ? frontFile.write({ off: list.filter(isProtocol) }) : Promise.resolve();
  /** What is off now; ahead of the stored value while a change takes effect. */
  let off: readonly ComponentName[] = [];
  const tell = async (before: readonly ComponentName[]) => {
    const changed = componentNames.filter((name) => before.includes(name) !== off.includes(name));
    for (const name of changed) for (const listener of listeners) await listener(name, !off.includes(name));
  };
  const setting = await openSetting({
    store,
    audit,
    type: offDocument,
    apply: async (next) => {
      const before = off;
      off = next;
      try {
        await writeFront(next);
        await tell(before);
      } catch (error) {
        off = before;
        await writeFront(before);
        throw error;
      }
    },
  });
  off = setting.current();
  const isOff = (name: ComponentName) => off.includes(name);
  /** HLS is set through the generated configuration, which an SRS includes too. */
  const isForeign = (name: ComponentName) => engine === 'srs' && isProtocol(name) && name !== 'hls';

  const stateOf = (name: ComponentName, ports: Ports | undefined): Answer['components'][number] => {
    if (isForeign(name)) return { name, state: 'foreign', enabled: true };
    const port = portOf(name, ports);
    const isAbsent = ports !== undefined && port === null;
    const enabled = !isOff(name);
    return { name, state: isAbsent ? 'absent' : enabled ? 'running' : 'off', enabled, ...(port ? { port } : {}) };
  };

  return {
    isEnabled: (name) => isForeign(name) || !isOff(name),
    async query() {
      const [ports, identity] = await Promise.all([boundPorts(), mediaServer.identify()]);
      const components = componentNames.map((name) => stateOf(name, ports));
      return { components, mediaServer: { engine, ...identity } };
    },
    async change(name, enabled, ip) {
      if (isForeign(name)) throw new AppError('componentForeign', verbatim(name));
      const next = (list: ComponentName[]) => {
        const others = list.filter((each) => each !== name);
        return enabled ? others : [...others, name];
      };
      await setting.save(next, {
        ip,
        detail: changed('platform.component', { name: changed(`component.${name}`), state: switched(enabled) }),
      });
    },
    subscribe: (listener) => {
      listeners.push(listener);
    },
    apply: () => writeFront(off),
  };
}

/** Null: no such listener. Undefined: the component has none of its own. */
function portOf(name: ComponentName, ports: Ports | undefined): number | null | undefined {
  if (taskComponents.some((each) => each === name)) return undefined;
  if (name === 'rtmp' || name === 'srt') return ports?.[name];
  return name === 'webrtc' ? ports?.rtc : ports?.http;
}
