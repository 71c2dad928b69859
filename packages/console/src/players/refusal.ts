// What a refused viewer sees: the password field, or the reason.
import type { Locale } from '@srs-stack/contract';
import type { Message } from './locale-texts.ts';
import type { MediaSource } from './media-url.ts';
import type { Stage } from './player-stage.ts';
import { streamOfSource } from './stream-of-source.ts';
import { createPasswordForm } from './watch/password-form.ts';
import { requestMode, saveAuthorization, unlock } from './watch/watch-access.ts';
import { watchTexts } from './watch/watch-texts.ts';

export interface ShownRefusal {
  /** Shown instead of the video. */
  readonly message: Message;
  /** Adds the password form to the stage if a password is needed. */
  show(stage: Stage): { remove(): void };
}

const nothing = { remove: () => undefined };

/**
 * Explains why playback was refused; undefined if the access rules of this server are not the reason.
 * @param reopen plays this address, which the entered password has authorized.
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
  // Deletes the stored authorization, which does not open the stream.
  saveAuthorization(name, '');
  return {
    message: ['', ''],
    show: (stage) => {
      const { root, focus } = createPasswordForm(t, async (password) => {
        const unlocked = await unlock(name, password);
        if (unlocked.ok) {
          saveAuthorization(name, unlocked.query);
          // A link in the address would take precedence over the password.
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
