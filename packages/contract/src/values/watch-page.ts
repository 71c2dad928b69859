export const watchThemes = ['system', 'light', 'dark'] as const;
export type WatchTheme = (typeof watchThemes)[number];

export const audienceChoices = ['shown', 'hidden'] as const;

/** `picture`: shown while the stream is not live, and in link previews. `logo`: beside the name. */
export const watchImageUses = ['picture', 'logo'] as const;
export type WatchImageUse = (typeof watchImageUses)[number];

/** The look of the streams that match one pattern. An empty value inherits from a less specific pattern, and finally from the default. */
export interface WatchPageLook {
  /** Pattern of streams: `app/stream` with `*` for any characters; `*` alone for the whole server. */
  readonly pattern: string;
  readonly name: string;
  readonly text: string;
  /** File name of an uploaded image. */
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

/** File name of an uploaded image. It is a hash of the content, so the image behind a name never changes. */
export const watchImageName = /^[0-9a-f]{32}\.(?:jpg|png)$/;

export const accentColor = /^#[0-9a-f]{6}$/i;
