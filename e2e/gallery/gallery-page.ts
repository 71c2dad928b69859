// The gallery as data: pages, their states, and the answers of the server that lead to them. A new page is one entry in
// `pages/`; the runner (`gallery.test.ts`) opens every state in every theme, language and size.
import type { EndpointName, ErrorName, endpoints, Locale, ResponseOf } from '@srs-stack/contract';
import type { Locator, Page } from 'playwright-core';

/** Names a text of the console: `namespace:dotted.key`, e.g. `records:list.empty`. */
export type TextKey = `${string}:${string}`;

/** What a call gets: contract data, a refusal of the catalogue, no answer yet, or no server at all. */
export type CallAnswer<Data> = { data: Data } | { refusal: ErrorName } | 'pending' | 'unreachable';

export type Answers = {
  readonly [Name in EndpointName]?: CallAnswer<ResponseOf<(typeof endpoints)[Name]>>;
} & {
  /** A resumable upload: `pending` takes its beginning and no more. */
  readonly upload?: 'pending' | { refusal: ErrorName };
  /** Of the media server's own API, all calls in one object; nothing is live when left out. */
  readonly srs?: object | 'unreachable';
};

export interface GalleryState {
  readonly name: string;
  /** Replaces the path of the page. */
  readonly path?: string;
  /** Beside the answers of the page and the everyday ones. */
  readonly answers?: Answers;
  /** What is visible in this state alone, a text of the console or another part: proof that the picture shows it. */
  readonly shows: TextKey | ((page: Page) => Locator);
  /** Steps of the operator after the page is there. `text` gives a text in the language shown. */
  readonly act?: (page: Page, text: (key: TextKey) => RegExp) => Promise<unknown>;
  /** Answers from the first step on: of a save that is refused, by a call that also reads. */
  readonly actAnswers?: Answers;
  /** For what only this language has. */
  readonly locale?: Locale;
  /** The page was filled a minute ago; since then the server does not answer. */
  readonly isStale?: boolean;
  /** No session is stored in the browser. */
  readonly isSignedOut?: boolean;
  /** Hundreds of rows like those of another state, where their accessibility is judged. */
  readonly isLong?: boolean;
  /** Replaces `https://live.example.com`. */
  readonly origin?: string;
}

export interface GalleryPage {
  /** File name of the pictures, and the test's name. */
  readonly id: string;
  /** Below `/mgmt/{language}/`, e.g. `routers-scenario?tab=record`; with a leading slash a page beside the console. */
  readonly path: string;
  /** Folder of its own modules below the console's sources; `features/<id>` or `features/settings/<id>` when left out. */
  readonly source?: string;
  readonly answers?: Answers;
  /** Calls the page cannot be drawn without: each gives the states `loading` and `error`. */
  readonly needs?: readonly EndpointName[];
  /** What is visible when they are refused, where it is not the usual sentence. */
  readonly errorShows?: TextKey;
  /** The language that asks these calls, when not all do. */
  readonly needsLocale?: Locale;
  readonly states: readonly GalleryState[];
}

/** What an operator knows as one thing: a group of the contact sheet. */
export interface GalleryArea {
  readonly title: string;
  readonly pages: readonly GalleryPage[];
}

export const data = <Data>(value: Data): { data: Data } => ({ data: value });
export const refused = (refusal: ErrorName): { refusal: ErrorName } => ({ refusal });

/** A part that is on its way. */
const placeholder = (page: Page) => page.locator('.mantine-Skeleton-root').filter({ visible: true }).first();

/** All states of a page: its own, and those that follow from the calls it needs. */
export function statesOf({ needs = [], needsLocale, errorShows, states }: GalleryPage): readonly GalleryState[] {
  if (needs.length === 0) return states;
  const all = (answer: CallAnswer<never>) => Object.fromEntries(needs.map((name) => [name, answer])) as Answers;
  const locale = needsLocale ? { locale: needsLocale } : {};
  return [
    { name: 'loading', answers: all('pending'), shows: placeholder, ...locale },
    ...states,
    {
      name: 'error',
      answers: all(refused('internal')),
      shows: errorShows ?? 'errors:explained.internal.what',
      ...locale,
    },
  ];
}
