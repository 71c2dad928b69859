// Changelog of a release, collapsed to its first lines.
import { Button } from '@mantine/core';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './upgrades.module.css';
import type { Release } from './use-upgrade.ts';

const shownAtFirst = 5;

export function ReleaseChanges({ release }: { release: Release }) {
  const { t } = useTranslation('platform');
  const [isWhole, setWhole] = useState(false);
  const { changes, moreChanges, version } = release;
  const shown = isWhole ? changes : changes.slice(0, shownAtFirst);
  const hidden = changes.length - shown.length;
  return (
    <section className={classes.changes}>
      <h3>{t('upgrade.changes', { version })}</h3>
      {changes.length === 0 && <p className={classes.hint}>{t('upgrade.noChanges')}</p>}
      <ul>
        {shown.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be equal, and the list never changes
          <li key={index}>
            <Words line={line} />
          </li>
        ))}
      </ul>
      {isWhole && moreChanges > 0 && <p className={classes.hint}>{t('upgrade.more', { count: moreChanges })}</p>}
      {hidden > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          {t('upgrade.allChanges', { count: hidden + moreChanges })}
        </Button>
      )}
    </section>
  );
}

/** Text between backticks is code; all other text is plain and never rendered as markup. */
function Words({ line }: { line: string }) {
  return line.split('`').map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line keep their positions
    <Fragment key={index}>{index % 2 === 1 ? <code>{part}</code> : part}</Fragment>
  ));
}
