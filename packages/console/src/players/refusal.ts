// Shows a refused viewer the password form or the reason.
import type { Locale } from '@srs-stack/contract';
import type { Message } from './locale-texts.ts';
import type { MediaSource } from './media-url.ts';
import type { Stage } from './player-stage.ts';
import { streamOfSource } from './stream-of-source.ts';
import { createPasswordForm } from './watch/password-form.ts';
import { requestMode, saveAuthorization, unlock } from './watch/watch-access.ts';
import { watchTexts } from './watch/watch-texts.ts';

export interface ShownRefusal {
  /** Message in place of the video. */
  readonly message: Message;
  /** Adds the password form to the stage, if required. */
  show(stage: Stage): { remove(): void };
}

const nothing = { remove: () => undefined };

/**
 * Explains why playback was refused; undefined if access rules are not the reason.
 * @param reopen called with the address that the entered password authorizes.
 */
export async function explainRefusal(
  source: MediaSource,
  locale: Locale,
  reopen: (address: string) => void,
): Promise<ShownRefusal | undefined> {
  const url = new URL(source.url);
  const name = streamOfSource(source);
  if (!name || url.host !== location.host) return undefined;
  const mode = await requestMode(name);
  const t = watchTexts(locale);
  if (mode === 'open') return undefined;
  if (mode !== 'password') {
    const isStale = mode === 'signed' && url.searchParams.has('watch');
    return { message: t.refused[isStale ? 'stale' : mode], show: () => nothing };
  }
  // Deletes the stored authorization, which the server has refused.
  saveAuthorization(name, '');
  return {
    message: ['', ''],
    show: (stage) => {
      const { root, focus } = createPasswordForm(t, async (password) => {
        const unlocked = await unlock(name, password);
        if (unlocked.ok) {
          saveAuthorization(name, unlocked.query);
          // A signed link in the address would override the password.
          url.searchParams.delete('watch');
          reopen(url.href);
        }
        return unlocked;
      });
      stage.frame.after(root);
      focus();
      return root;
    },
  };
}
