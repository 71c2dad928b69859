// The gallery as data: pages, their states, and the server responses of each state. A new page is one entry in `pages/`; the runner
// (`gallery.test.ts`) opens every state in every theme, language and size.
import type { EndpointName, ErrorName, endpoints, Locale, ResponseOf } from '@srs-stack/contract';
import type { Locator, Page } from 'playwright-core';

/** Names a text of the console: `namespace:dotted.key`, e.g. `records:list.empty`. */
export type TextKey = `${string}:${string}`;

/** Response to a call: contract data, a refusal of the catalogue, no response yet, or no server. */
export type CallAnswer<Data> = { data: Data } | { refusal: ErrorName } | 'pending' | 'unreachable';

export type Answers = {
  readonly [Name in EndpointName]?: CallAnswer<ResponseOf<(typeof endpoints)[Name]>>;
} & {
  /** A resumable upload: `pending` accepts only its beginning. */
  readonly upload?: 'pending' | { refusal: ErrorName };
  /** The media server's own API, all calls in one object; if absent, nothing is live. */
  readonly srs?: object | 'unreachable';
};

export interface GalleryState {
  readonly name: string;
  /** Replaces the path of the page. */
  readonly path?: string;
  /** Responses in addition to those of the page and the common ones. */
  readonly answers?: Answers;
  /** A text or element that is visible only in this state: proves that the screenshot shows the state. */
  readonly shows: TextKey | ((page: Page) => Locator);
  /** Steps of the operator after the page is loaded. `text` returns a text in the displayed language. */
  readonly act?: (page: Page, text: (key: TextKey) => RegExp) => Promise<unknown>;
  /** Responses from the first step on, for example a refusal by a call that first fills the page and then saves. */
  readonly actAnswers?: Answers;
  /** Language of a state that the other language does not have. */
  readonly locale?: Locale;
  /** The page was filled a minute ago; since then the server does not respond. */
  readonly isStale?: boolean;
  /** No session is stored in the browser. */
  readonly isSignedOut?: boolean;
  /** The state has hundreds of rows; their accessibility is checked in another state with fewer ones. */
  readonly isLong?: boolean;
  /** Replaces `https://live.example.com`. */
  readonly origin?: string;
}

export interface GalleryPage {
  /** File name of the screenshots, and the test's name. */
  readonly id: string;
  /** Below `/mgmt/{language}/`, e.g. `routers-scenario?tab=record`; with a leading slash a page outside the console. */
  readonly path: string;
  /** Folder of the page's modules below the console's sources; default `features/<id>` or `features/settings/<id>`. */
  readonly source?: string;
  readonly answers?: Answers;
  /** Calls that the page requires: each gives the states `loading` and `error`. */
  readonly needs?: readonly EndpointName[];
  /** Text that is visible when the required calls are refused, if not the usual message. */
  readonly errorShows?: TextKey;
  /** Language in which the page sends the required calls, if not in all. */
  readonly needsLocale?: Locale;
  readonly states: readonly GalleryState[];
}

/** One subject for operators: a group of the contact sheet. */
export interface GalleryArea {
  readonly title: string;
  readonly pages: readonly GalleryPage[];
}

export const data = <Data>(value: Data): { data: Data } => ({ data: value });
export const refused = (refusal: ErrorName): { refusal: ErrorName } => ({ refusal });

/** Placeholder of a part that is loading. */
const placeholder = (page: Page) => page.locator('.mantine-Skeleton-root').filter({ visible: true }).first();

/** All states of a page: its own, and those derived from its required calls. */
export function statesOf({ needs = [], needsLocale, errorShows, states }: GalleryPage): readonly GalleryState[] {
  if (needs.length === 0) return states;
  const all = (response: CallAnswer<never>) => Object.fromEntries(needs.map((name) => [name, response])) as Answers;
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
