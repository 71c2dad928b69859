// The tabs of a page: one row that scrolls sideways on a phone, the current one underlined and in view.
import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './page-tabs.module.css';

interface PageTab<Value extends string> {
  value: Value;
  label: string;
  icon?: ReactNode;
}

export interface PageTabsProps<Value extends string> {
  label: string;
  tabs: readonly PageTab<Value>[];
  value: Value;
  onChange: (value: string | null) => void;
  /** Content of the current tab. */
  children: ReactNode;
}

export function PageTabs<Value extends string>({ label, tabs, value, onChange, children }: PageTabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selected tab is found in the DOM after `value` changed
  useEffect(() => {
    const selected = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (selected && list.current) list.current.scrollLeft = selected.offsetLeft - 24;
  }, [value]);
  return (
    <Tabs value={value} onChange={onChange} keepMounted={false}>
      <Tabs.List ref={list} aria-label={label} className={classes.list!}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.value} value={tab.value} leftSection={tab.icon} className={classes.tab!}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={value} className={classes.panel!}>
        {children}
      </Tabs.Panel>
    </Tabs>
  );
}
