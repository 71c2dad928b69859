// The gallery as data: pages, states, and the server responses of each state. A new page needs one entry in `pages/`.
// `gallery.test.ts` opens the states that `selection.ts` selects.
import type { EndpointName, ErrorName, endpoints, Locale, ResponseOf } from '@srs-stack/contract';
import type { Locator, Page } from 'playwright-core';

/** Key of a console text: `namespace:dotted.key`, such as `records:list.empty`. */
export type TextKey = `${string}:${string}`;

/** Response to a call: data, or a refusal by name. `pending`: no response yet; `unreachable`: no server. */
export type CallAnswer<Data> = { data: Data } | { refusal: ErrorName } | 'pending' | 'unreachable';

export type Answers = {
  readonly [Name in EndpointName]?: CallAnswer<ResponseOf<(typeof endpoints)[Name]>>;
} & {
  /** Response to a resumable upload. `pending` accepts only its beginning. */
  readonly upload?: 'pending' | { refusal: ErrorName };
  /** Response of the media server's API, one object for all its calls. By default, no stream is live. */
  readonly srs?: object | 'unreachable';
};

export interface GalleryState {
  readonly name: string;
  readonly path?: string;
  /** Responses that replace or extend the responses of the page. */
  readonly answers?: Answers;
  /** A text or element that only this state displays. It proves that the screenshot shows the state. */
  readonly shows: TextKey | ((page: Page) => Locator);
  /** Actions after the page is loaded. `text` returns a console text in the displayed language. */
  readonly act?: (page: Page, text: (key: TextKey) => RegExp) => Promise<unknown>;
  /** Responses that apply as soon as `act` starts: a call can succeed while the page loads, and fail afterwards. */
  readonly actAnswers?: Answers;
  readonly locale?: Locale;
  /** Whether the server has stopped responding a minute after it filled the page. */
  readonly isStale?: boolean;
  readonly isSignedOut?: boolean;
  /** Whether the state has hundreds of rows. Accessibility is then checked only in a shorter state. */
  readonly isLong?: boolean;
  readonly origin?: string;
}

export interface GalleryPage {
  /** Names the test and the screenshots. */
  readonly id: string;
  /** Path below `/mgmt/{language}/`, such as `routers-scenario?tab=record`. A leading slash means a page outside the console. */
  readonly path: string;
  /** Folder of the page in the sources of the console; default `features/<id>` or `features/settings/<id>`. */
  readonly source?: string;
  readonly answers?: Answers;
  /**
   * Calls that the page needs. If there are any, the page also has the states `loading` (no call has a response) and `error` (every call
   * fails).
   */
  readonly needs?: readonly EndpointName[];
  /** Text of the `error` states, if it differs from the usual message. */
  readonly errorShows?: TextKey;
  readonly needsLocale?: Locale;
  readonly states: readonly GalleryState[];
}

/** A group of pages on the contact sheet. */
export interface GalleryArea {
  readonly title: string;
  readonly pages: readonly GalleryPage[];
}

export const data = <Data>(value: Data): { data: Data } => ({ data: value });
export const refused = (refusal: ErrorName): { refusal: ErrorName } => ({ refusal });

const placeholder = (page: Page) => page.locator('.mantine-Skeleton-root').filter({ visible: true }).first();

/** All states of a page, including the states `loading` and `error` of its needed calls. */
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
