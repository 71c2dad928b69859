// Appearance of the watch page. Stored, and written to `config/watch-page.json` for gateways.
import { AppError, because, changed, type WatchImageUse, type WatchPageLook } from '@srs-stack/contract';
import { comparePatterns } from '@srs-stack/playback/stream-pattern.ts';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import { requireRevision, revisionOf } from '../concurrency/settings-revision.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import { type HeldDocument, holdDocument } from '../store/held-document.ts';
import type { DocumentType, Store } from '../store/store.ts';
import type { PageImages } from './page-images.ts';

const ownerOnly = 0o600;
/** Maximum length of the patterns in the audit trail, characters. */
const maxShownPatterns = 500;
const picturesPath = '/watch/pictures/';

const looksDocument: DocumentType<{ readonly looks: readonly WatchPageLook[] }> = {
  key: 'watch-page',
  schema: z.object({
    looks: z.array(
      z.object({
        ...{ pattern: z.string(), name: z.string(), text: z.string(), picture: z.string(), logo: z.string() },
        ...{ accent: z.string(), startsAt: z.string() },
        theme: z.enum(['', 'system', 'light', 'dark']),
        audience: z.enum(['', 'shown', 'hidden']),
      }),
    ),
  }),
  empty: { looks: [] },
};

export interface PageLooksDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly pictures: Pick<PageImages, 'receive' | 'known' | 'lay'>;
  readonly file: string;
}

export async function openPageLooks(deps: PageLooksDeps): Promise<PageLooks> {
  const held = await holdDocument(deps.store, looksDocument);
  const looks = new PageLooks(deps, held);
  await looks.apply();
  held.onChange(() => looks.apply());
  return looks;
}

type Stored = { readonly looks: readonly WatchPageLook[] };

export class PageLooks {
  readonly #deps: PageLooksDeps;
  readonly #held: HeldDocument<Stored>;
  readonly #oneAtATime = createOneAtATime();
  readonly #writing = createOneAtATime();

  constructor(deps: PageLooksDeps, held: HeldDocument<Stored>) {
    this.#deps = deps;
    this.#held = held;
  }

  current(): { looks: WatchPageLook[]; revision: string } {
    const { looks } = this.#held.current();
    return { looks: [...looks], revision: revisionOf(looks) };
  }

  /** Throws `invalidRequest` for a duplicate pattern or a missing image. Throws `settingsChanged` for an outdated revision. */
  change(drafts: readonly WatchPageLook[], actor: Actor, revision?: string): Promise<void> {
    return this.#oneAtATime(async () => {
      const before = this.#held.current();
      requireRevision(revision, before.looks);
      const looks = [...drafts].sort((a, b) => comparePatterns(a.pattern, b.pattern));
      await this.#require(looks);
      await this.#held.replace(before, { looks });
      await this.apply();
      const shown = looks.map(({ pattern }) => pattern).join(', ');
      const shownText = shown.slice(0, maxShownPatterns) || changed('amount.none');
      await this.#deps.audit.record('setting-changed', actor, changed('watching.page', { looks: shownText }));
    });
  }

  /** Resolves with image name and public path. Throws errors of the image conversion. */
  async receivePicture(base64: string, use: WatchImageUse): Promise<{ name: string; path: string }> {
    const name = await this.#deps.pictures.receive(Buffer.from(base64, 'base64'), use, this.#pictureNames());
    return { name, path: picturesPath + name };
  }

  apply(): Promise<void> {
    return this.#writing(async () => {
      const { looks } = this.#held.current();
      await this.#deps.pictures.lay(this.#pictureNames());
      await writeFileAtomically(this.#deps.file, `${JSON.stringify({ looks }, null, 2)}\n`, ownerOnly);
    });
  }

  #pictureNames(): Set<string> {
    return picturesOf(this.#held.current().looks);
  }

  async #require(looks: readonly WatchPageLook[]): Promise<void> {
    const seen = new Set<string>();
    const known = await this.#deps.pictures.known(picturesOf(looks));
    for (const look of looks) {
      const { pattern } = look;
      if (seen.has(pattern)) throw new AppError('invalidRequest', because('watching.twice', { pattern }));
      seen.add(pattern);
      for (const name of picturesOf([look])) {
        if (!known.has(name)) throw new AppError('invalidRequest', because('watching.picture-gone', { pattern }));
      }
    }
  }
}

function picturesOf(looks: readonly Pick<WatchPageLook, 'picture' | 'logo'>[]): Set<string> {
  return new Set(looks.flatMap(({ picture, logo }) => [picture, logo]).filter((name) => name !== ''));
}
