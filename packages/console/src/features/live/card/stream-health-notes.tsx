// The most severe problem of the stream, with a link to the page that lists all problems.
import { Anchor } from '@mantine/core';
import type { LiveStream } from '@srs-stack/contract';
import { streamPath } from '@srs-stack/contract/addresses.ts';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../../navigation/current-locale.ts';
import { FindingNote } from '../../../shared/stream-health/finding-note.tsx';
import { healthFindings } from '../../../shared/stream-health/stream-health.ts';

export function StreamHealthNotes({ stream }: { stream: LiveStream }) {
  const { t } = useTranslation('live');
  const toScreen = useScreenPath();
  const [worst, ...others] = healthFindings(stream);
  if (!worst) return null;
  const search = `?${new URLSearchParams({ stream: streamPath(stream) })}`;
  return (
    <div>
      <FindingNote finding={worst} />
      {others.length > 0 && (
        <Anchor component={Link} to={toScreen('streams', search)} size="sm" mt={6} display="inline-block">
          {t('health.more', { count: others.length })}
        </Anchor>
      )}
    </div>
  );
}
