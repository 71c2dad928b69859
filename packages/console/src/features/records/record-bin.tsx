// Recordings deleted within the last day. They can be restored or deleted permanently.
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { recordBinHours } from '@srs-stack/contract/constants.ts';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../navigation/current-locale.ts';
import { formatBytes } from '../../shared/format-bytes.ts';
import { formatTimestamp } from '../../shared/format-time.ts';
import { ConfirmPopover } from '../../ui/confirm-popover.tsx';
import { useEmptyBin, useRecordBin, useRestoreRecord } from './queries.ts';
import classes from './record.module.css';

/** Maximum number of displayed rows. Further rows appear when displayed rows are restored or deleted. */
const maxShown = 50;

export function RecordBin() {
  const { t } = useTranslation('records');
  const locale = useLocale();
  const [isOpen, { toggle }] = useDisclosure(false);
  const bin = useRecordBin().data ?? [];
  const restore = useRestoreRecord();
  const empty = useEmptyBin();
  if (bin.length === 0) return null;
  const size = formatBytes(
    bin.reduce((sum, row) => sum + row.size + row.mp4Size, 0),
    locale,
  );
  return (
    <section className={classes.bin} aria-label={t('bin.title')}>
      <Group justify="space-between" gap="sm">
        <Button
          className={classes.binToggle!}
          variant="subtle"
          color="gray"
          size="sm"
          leftSection={<IconTrash size={16} aria-hidden />}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {t('bin.summary', { count: bin.length, size })}
        </Button>
        {isOpen && (
          <ConfirmPopover
            dangerous
            text={t('bin.emptyText', { count: bin.length, size })}
            onConfirm={() => empty.mutate({})}
          >
            <Button size="xs" variant="default" loading={empty.isPending}>
              {t('bin.empty')}
            </Button>
          </ConfirmPopover>
        )}
      </Group>
      {isOpen && (
        <>
          <Text size="sm" c="dimmed" my="xs">
            {t('bin.text', { hours: recordBinHours })}
          </Text>
          <ul className={classes.binRows}>
            {bin.slice(0, maxShown).map((row) => (
              <li key={row.uuid}>
                <span className={classes.binName}>
                  {row.app}/{row.stream}
                  <small>{t('bin.until', { time: formatTimestamp(row.purgeAt) })}</small>
                </span>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconArrowBackUp size={14} aria-hidden />}
                  onClick={() => restore.mutate({ uuid: row.uuid })}
                >
                  {t('bin.restore')}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
