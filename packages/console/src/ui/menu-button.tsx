// A button with a short list of choices. Uses no positioning library, which would slow down the login page.
import { useClickOutside } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './menu-button.module.css';

interface MenuChoice<Value extends string> {
  value: Value;
  label: string;
  icon?: ReactNode;
  /** Language of the label if not the page's language. */
  lang?: string;
}

export interface MenuButtonProps<Value extends string> {
  label: string;
  face: ReactNode;
  value: Value;
  choices: readonly MenuChoice<Value>[];
  onChoose: (value: Value) => void;
}

export function MenuButton<Value extends string>({ label, face, value, choices, onChoose }: MenuButtonProps<Value>) {
  const menuId = useId();
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const root = useClickOutside(() => setOpened(false));
  useEffect(() => {
    if (opened) menu.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus();
  }, [opened]);
  const close = () => {
    setOpened(false);
    button.current?.focus();
  };
  const choose = (chosen: Value) => {
    close();
    onChoose(chosen);
  };
  return (
    <div className={classes.root} ref={root}>
      <button
        ref={button}
        type="button"
        className={classes.button}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={opened}
        aria-controls={menuId}
        onClick={() => setOpened(!opened)}
      >
        {face}
      </button>
      {opened && (
        <div
          ref={menu}
          id={menuId}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className={classes.menu}
          onKeyDown={(event) => onMenuKey(event, menu.current!, close)}
        >
          {choices.map((choice) => (
            <button
              key={choice.value}
              type="button"
              role="menuitemradio"
              aria-checked={choice.value === value}
              className={classes.item}
              lang={choice.lang}
              onClick={() => choose(choice.value)}
            >
              {choice.icon}
              <span>{choice.label}</span>
              {choice.value === value && <IconCheck size={16} aria-hidden className={classes.check} />}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function onMenuKey(event: KeyboardEvent, menu: HTMLElement, close: () => void): void {
  if (event.key === 'Escape' || event.key === 'Tab') {
    if (event.key === 'Escape') event.preventDefault();
    close();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const items = [...menu.querySelectorAll<HTMLElement>('[role="menuitemradio"]')];
  const index = items.indexOf(document.activeElement as HTMLElement);
  items[(index + step + items.length) % items.length]?.focus();
}
