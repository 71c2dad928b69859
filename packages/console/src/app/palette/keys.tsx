// Keys of a shortcut as they are labelled on the keyboard: `g l`, `mod k`.
import { paletteKeys } from '../keyboard/use-shortcuts.ts';
import classes from './keys.module.css';

export function Keys({ keys }: { keys: string }) {
  const shown = keys === paletteKeys ? [isMac() ? '⌘' : 'Ctrl', 'K'] : keys.split(' ');
  return (
    <span className={classes.keys}>
      {shown.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}

function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}
