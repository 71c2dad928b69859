import { ActionIcon, Button, Skeleton, Tooltip } from '@mantine/core';
import type { LibraryFile, MediaSource, MediaSourceItem } from '@srs-stack/contract';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../shared/format-bytes.ts';
import { formatTimestamp } from '../../../shared/format-time.ts';
import { QueryFailure } from '../../../shared/query-failure.tsx';
import { ConfirmPopover } from '../../../ui/confirm-popover.tsx';
import { useLibrary, useRemoveLibraryFile } from '../queries.ts';
import classes from './source.module.css';

export interface LibraryListProps {
  files: readonly MediaSource[];
  isChecking: boolean;
  onUse: (item: MediaSourceItem) => Promise<void>;
}

export function LibraryList({ files, isChecking, onUse }: LibraryListProps) {
  const { t, i18n } = useTranslation('vlives');
  const library = useLibrary();
  if (library.isError) return <QueryFailure error={library.error} onRetry={() => void library.refetch()} />;
  if (!library.data) return <Skeleton height="4rem" />;
  const listed = new Set(files.map(({ uuid }) => uuid));
  const others = library.data.files.filter(({ uuid }) => !listed.has(uuid));
  if (others.length === 0) return null;
  return (
    <section className={classes.library} aria-label={t('library.title')}>
      <h3>{t('library.title')}</h3>
      <ul>
        {others.map((file) => (
          <li key={file.uuid}>
            <File file={file} isChecking={isChecking} onUse={onUse} />
          </li>
        ))}
      </ul>
      <p className={classes.note}>{t('library.free', { size: formatBytes(library.data.freeBytes, i18n.language) })}</p>
    </section>
  );
}

function File({ file, isChecking, onUse }: { file: LibraryFile } & Omit<LibraryListProps, 'files'>) {
  const { t, i18n } = useTranslation('vlives');
  const remove = useRemoveLibraryFile();
  const label = t('library.remove', { name: file.name });
  const { name, size, uuid, target, type } = file;
  const isAway = file.node?.isAway === true;
  return (
    <div className={classes.entry}>
      <div className={classes.facts}>
        <strong>{name}</strong>
        <span>
          {formatBytes(size, i18n.language)} · {formatTimestamp(file.addedAt)}
          {file.expiresAt !== '' && ` · ${t('library.expires', { time: formatTimestamp(file.expiresAt) })}`}
          {file.node && ` · ${t(file.node.isAway ? 'library.onNodeAway' : 'library.onNode', { name: file.node.name })}`}
          {file.place === 'both' && ` · ${t('library.inBucket')}`}
          {file.usedBy.length > 0 && ` · ${t('library.used', { count: file.usedBy.length })}`}
        </span>
      </div>
      <div className={classes.tools}>
        <Button
          size="xs"
          variant="default"
          disabled={isChecking || isAway}
          aria-label={t('library.useNamed', { name })}
          onClick={() => void onUse({ name, path: '', size, uuid, target, type })}
        >
          {t('library.use')}
        </Button>
        {file.usedBy.length === 0 && !isAway && (
          <ConfirmPopover dangerous text={t('library.removeText', { name })} onConfirm={() => remove.mutate({ uuid })}>
            <ActionIcon size="lg" aria-label={label} loading={remove.isPending}>
              <Tooltip label={label}>
                <IconTrash size={18} aria-hidden />
              </Tooltip>
            </ActionIcon>
          </ConfirmPopover>
        )}
      </div>
    </div>
  );
}
