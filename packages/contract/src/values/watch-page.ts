// What the page for viewers looks like, as the operator sets it.

export const watchThemes = ['system', 'light', 'dark'] as const;
export type WatchTheme = (typeof watchThemes)[number];

/** Viewers are counted on the page, or not. */
export const audienceChoices = ['shown', 'hidden'] as const;

/** `picture`: shown while the stream is not live, and in link previews. `logo`: beside the name. */
export const watchPictureUses = ['picture', 'logo'] as const;
export type WatchPictureUse = (typeof watchPictureUses)[number];

/** One entry of the settings; '' leaves a field to less specific entries, and at last to the product. */
export interface WatchPageLook {
  /** Which streams it is for: `app/stream` with `*` for any characters; `*` alone for the whole server. */
  readonly pattern: string;
  readonly name: string;
  readonly text: string;
  /** File name of an uploaded picture. */
  readonly picture: string;
  readonly logo: string;
  /** `#rrggbb`. */
  readonly accent: string;
  readonly theme: WatchTheme | '';
  readonly audience: (typeof audienceChoices)[number] | '';
  /** RFC 3339. */
  readonly startsAt: string;
}

export const emptyWatchPageLook: WatchPageLook = {
  pattern: '',
  name: '',
  text: '',
  picture: '',
  logo: '',
  accent: '',
  theme: '',
  audience: '',
  startsAt: '',
};

/** Names of uploaded pictures: what they are is in them, so a name never stands for another picture. */
export const watchPictureName = /^[0-9a-f]{32}\.(?:jpg|png)$/;

export const accentColor = /^#[0-9a-f]{6}$/i;
