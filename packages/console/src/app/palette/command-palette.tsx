// Finds pages, settings, live streams and actions by name. A combobox with a list (WAI-ARIA APG 1.2).
import { Modal } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './command-palette.module.css';
import { type Command, type CommandGroup, commandGroups, matchingCommands } from './commands.ts';
import { Keys } from './keys.tsx';
import { useActionCommands } from './use-action-commands.tsx';
import { usePageCommands } from './use-page-commands.tsx';
import { useStreamCommands } from './use-stream-commands.tsx';

export interface CommandPaletteProps {
  onClose: () => void;
  onShowKeys: () => void;
}

export default function CommandPalette({ onClose, onShowKeys }: CommandPaletteProps) {
  const { t } = useTranslation('palette');
  const commands = [...useStreamCommands(), ...usePageCommands(), ...useActionCommands(onShowKeys)];
  const [typed, setTyped] = useState('');
  const [index, setIndex] = useState(0);
  const listId = useId();
  const found = matchingCommands(commands, typed);
  const active = found[Math.min(index, found.length - 1)];
  const run = (command: Command) => {
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = indexAfter(event.key, index, found.length);
    if (next !== undefined) {
      event.preventDefault();
      setIndex(next);
    }
    if (event.key === 'Enter' && active && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(active);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      yOffset="10vh"
      size="38rem"
      radius="lg"
      title={undefined}
      aria-label={t('title')}
      transitionProps={{ duration: 120 }}
    >
      <div className={classes.search}>
        <IconSearch size={20} aria-hidden />
        <input
          className={classes.input}
          role="combobox"
          aria-label={t('title')}
          aria-expanded={found.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active && optionId(listId, active)}
          placeholder={t('placeholder')}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setIndex(0);
          }}
          onKeyDown={onKeyDown}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <Keys keys="Esc" />
      </div>
      <div id={listId} role="listbox" aria-label={t('title')} className={classes.list}>
        {commandGroups.map((group) => (
          <Group
            key={group}
            group={group}
            commands={found}
            active={active}
            listId={listId}
            onRun={run}
            onPoint={setIndex}
          />
        ))}
      </div>
      <p role="status" className={found.length === 0 ? classes.nothing : classes.offscreen}>
        {found.length === 0 ? t('nothing', { typed }) : t('found', { count: found.length })}
      </p>
    </Modal>
  );
}

/** Index after an arrow key (wraps at both ends), Page Up or Page Down (stop at the ends); undefined for any other key. */
function indexAfter(key: string, index: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (index + 1) % count;
  if (key === 'ArrowUp') return (index - 1 + count) % count;
  if (key === 'PageDown') return Math.min(index + 6, count - 1);
  if (key === 'PageUp') return Math.max(index - 6, 0);
  return undefined;
}

function optionId(listId: string, { group, id }: Command): string {
  return `${listId}-${group}-${id.replaceAll(/\W/g, '-')}`;
}

interface GroupProps {
  group: CommandGroup;
  commands: readonly Command[];
  active: Command | undefined;
  listId: string;
  onRun: (command: Command) => void;
  onPoint: (index: number) => void;
}

function Group({ group, commands, active, listId, onRun, onPoint }: GroupProps) {
  const { t } = useTranslation('palette');
  const headId = useId();
  const own = commands.filter((command) => command.group === group);
  if (own.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options inside a list box
    <div role="group" aria-labelledby={headId}>
      <div id={headId} role="presentation" className={classes.group}>
        {t(`group.${group}`)}
      </div>
      {own.map((command) => (
        <Option
          key={command.id}
          id={optionId(listId, command)}
          command={command}
          isActive={command === active}
          onRun={() => onRun(command)}
          onPoint={() => onPoint(commands.indexOf(command))}
        />
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  command: Command;
  isActive: boolean;
  onRun: () => void;
  onPoint: () => void;
}

/** One row, selected with the arrow keys or the pointer. The focus stays in the search field. */
function Option({ id, command, isActive, onRun, onPoint }: OptionProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the combobox has the focus
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isActive}
      className={classes.option}
      onClick={onRun}
      onMouseMove={() => !isActive && onPoint()}
    >
      {command.icon}
      <span className={classes.label}>{command.label}</span>
      {command.hint && <span className={classes.hint}>{command.hint}</span>}
      {command.keys && <Keys keys={command.keys} />}
    </div>
  );
}
