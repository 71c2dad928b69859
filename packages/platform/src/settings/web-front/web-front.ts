// Settings of the public web server: the target of `/`, and paths proxied to other web servers.
import { changed, type ProxyLocation } from '@srs-stack/contract';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { openSetting } from '../../store/setting.ts';
import type { DocumentType, Store } from '../../store/store.ts';
import type { FrontFile } from './front-file.ts';
import { checkHomepage, checkLocations } from './location-rules.ts';

export const defaultHomepage = '/mgmt';
const homepageDocument: DocumentType<string> = { key: 'homepage', schema: z.string(), empty: defaultHomepage };
const locationsDocument: DocumentType<ProxyLocation[]> = {
  key: 'proxy-locations',
  schema: z.array(z.object({ location: z.string(), backend: z.string() })),
  empty: [],
};

export interface WebFront {
  homepage(): { homepage: string; revision: string };
  changeHomepage(homepage: string, revision: string | undefined, actor: Actor): Promise<void>;
  locations(): { locations: ProxyLocation[]; revision: string };
  changeLocations(locations: readonly ProxyLocation[], revision: string | undefined, actor: Actor): Promise<void>;
  apply(): Promise<void>;
}

export interface WebFrontDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly frontFile: FrontFile;
  /** Resolves with a function that finds ports of this product. */
  readonly isOwnPort: () => Promise<(host: string, port: number) => boolean>;
}

export async function openWebFront({ store, audit, frontFile, isOwnPort }: WebFrontDeps): Promise<WebFront> {
  const homepage = await openSetting({
    store,
    audit,
    type: homepageDocument,
    apply: (home) => frontFile.write({ home }),
  });
  const locations = await openSetting({
    store,
    audit,
    type: locationsDocument,
    apply: (next) => frontFile.write({ locations: next }),
  });
  return {
    homepage: () => ({ homepage: homepage.current(), revision: homepage.revision() }),
    changeHomepage: (text, revision, actor) => {
      const detail = changed('page.home', { path: text.trim().slice(0, 200) });
      return homepage.save(() => checkHomepage(text), { revision, actor, detail });
    },
    locations: () => ({ locations: [...locations.current()], revision: locations.revision() }),
    async changeLocations(list, revision, actor) {
      const next = checkLocations(list, await isOwnPort());
      const detail = changed('page.proxies', {
        paths:
          next
            .map(({ location }) => location)
            .join(', ')
            .slice(0, 500) || changed('amount.none'),
      });
      await locations.save(() => next, { revision, actor, detail });
    },
    apply: () => frontFile.write({ home: homepage.current(), locations: locations.current() }),
  };
}
