// The settings by group, with a search field. A wide page shows them in a second column, a narrow page collapses them under a button.
// The settings are the tabs of one list (WAI-ARIA APG, tabs with manual activation).
import { TextInput } from '@mantine/core';
import { IconChevronDown, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchTerms } from '../palette/search-terms.ts';
import { matchesTerms } from './matches-terms.ts';
import classes from './settings-list.module.css';
import { groupOfTab, type SettingsTab, settingsGroups, settingsIcons, settingsTabs } from './settings-tabs.ts';

export interface SettingsListProps {
  current: SettingsTab;
  /** Returns the id of a tab's element, which labels the panel. */
  idOf: (tab: SettingsTab) => string;
  panelId: string;
  onSelect: (tab: SettingsTab) => void;
}

export function SettingsList({ current, idOf, panelId, onSelect }: SettingsListProps) {
  const { t } = useTranslation('settings');
  const terms = useSearchTerms();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const fold = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const groupId = useId();
  const foldId = useId();
  const found = settingsTabs.filter((tab) => {
    const words = [t(`tab.${tab}`), t(`group.${groupOfTab[tab]}`), terms[tab] ?? '', tab];
    return matchesTerms(words.join(' '), typed);
  });
  const choose = (tab: SettingsTab) => {
    onSelect(tab);
    setTyped('');
    setOpen(false);
    // A narrow page hides the list with the focus, so the button takes the focus. On a wide page the hidden button cannot be focused.
    fold.current?.focus();
  };
  const onFieldKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && typed === '') setOpen(false);
    if (event.key === 'Escape') setTyped('');
    if (event.key === 'Enter' && typed !== '' && found[0]) choose(found[0]);
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    tabsOf(list.current)[0]?.focus();
  };
  return (
    <div className={classes.column}>
      <FoldButton button={fold} current={current} isOpen={isOpen} controls={foldId} onPress={() => setOpen(!isOpen)} />
      <div id={foldId} className={classes.fold} data-open={isOpen || undefined}>
        <TextInput
          type="search"
          size="sm"
          className={classes.find}
          aria-label={t('find')}
          placeholder={t('find')}
          leftSection={<IconSearch size={16} aria-hidden />}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onFieldKey}
        />
        <div
          ref={list}
          role="tablist"
          aria-label={t('title')}
          aria-orientation="vertical"
          className={classes.list}
          onKeyDown={moveFocus}
        >
          {settingsGroups.map((group) => (
            <div key={group} className={classes.group} hidden={!found.some((tab) => groupOfTab[tab] === group)}>
              <div id={`${groupId}-${group}`} className={classes.head}>
                {t(`group.${group}`)}
              </div>
              {settingsTabs
                .filter((tab) => groupOfTab[tab] === group)
                .map((tab) => (
                  <Tab
                    key={tab}
                    tab={tab}
                    id={idOf(tab)}
                    panelId={panelId}
                    isCurrent={tab === current}
                    isFound={found.includes(tab)}
                    isStop={tab === (found.includes(current) ? current : found[0])}
                    describedBy={`${groupId}-${group}`}
                    onChoose={() => choose(tab)}
                  />
                ))}
            </div>
          ))}
        </div>
        <p role="status" className={found.length === 0 ? classes.nothing : classes.offscreen}>
          {found.length === 0 && t('nothing', { typed })}
          {found.length > 0 && typed !== '' && t('found', { count: found.length })}
        </p>
      </div>
    </div>
  );
}

const tabsOf = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLElement>('[role="tab"]:not([hidden])') ?? []),
];

/** Arrows, Home and End move the focus over the visible tabs. Enter and Space select a tab. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const tabs = tabsOf(event.currentTarget);
  const at = tabs.indexOf(event.target as HTMLElement);
  const places: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: tabs.length - 1 };
  const next = places[event.key];
  if (next === undefined || tabs.length === 0) return;
  event.preventDefault();
  tabs[(next + tabs.length) % tabs.length]!.focus();
}

interface FoldButtonProps {
  button: React.RefObject<HTMLButtonElement | null>;
  current: SettingsTab;
  isOpen: boolean;
  controls: string;
  onPress: () => void;
}

/** On a narrow page, shows the current setting and expands the list. */
function FoldButton({ button, current, isOpen, controls, onPress }: FoldButtonProps) {
  const { t } = useTranslation('settings');
  const Icon = settingsIcons[current];
  return (
    <button
      ref={button}
      type="button"
      className={classes.foldButton}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onPress}
    >
      <Icon size={20} stroke={1.75} aria-hidden />
      <span className={classes.foldText}>
        <span className={classes.foldGroup}>{t(`group.${groupOfTab[current]}`)}</span>
        <span>{t(`tab.${current}`)}</span>
      </span>
      <span className={classes.offscreen}>{t('choose')}</span>
      <IconChevronDown size={20} aria-hidden className={classes.chevron} />
    </button>
  );
}

interface TabProps {
  tab: SettingsTab;
  id: string;
  panelId: string;
  isCurrent: boolean;
  isFound: boolean;
  /** Whether the Tab key reaches this tab. The Tab key reaches exactly one tab of the list. */
  isStop: boolean;
  describedBy: string;
  onChoose: () => void;
}

/** One tab. Tabs that the search does not find are hidden but stay in the document, because the current tab labels the panel. */
function Tab({ tab, id, panelId, isCurrent, isFound, isStop, describedBy, onChoose }: TabProps) {
  const { t } = useTranslation('settings');
  const Icon = settingsIcons[tab];
  return (
    <button
      type="button"
      role="tab"
      id={id}
      className={classes.tab}
      hidden={!isFound}
      aria-selected={isCurrent}
      aria-controls={isCurrent ? panelId : undefined}
      aria-describedby={describedBy}
      tabIndex={isStop ? 0 : -1}
      onClick={onChoose}
    >
      <Icon size={18} stroke={1.75} aria-hidden />
      <span>{t(`tab.${tab}`)}</span>
    </button>
  );
}
