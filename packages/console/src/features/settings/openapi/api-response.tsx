import { useTranslation } from 'react-i18next';
import type { TriedCall } from '../../../api/try-call.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import classes from './api.module.css';

export function ApiResponse({ response }: { response: TriedCall }) {
  const { t } = useTranslation('openapi');
  const isGood = response.status >= 200 && response.status < 300;
  return (
    <section className={classes.answer} role="status" aria-label={t('try.answer')}>
      <div className={classes.answerHead}>
        <StatusBadge state={isGood ? 'good' : 'error'}>
          {`HTTP ${response.status} ${response.statusText}`.trim()}
        </StatusBadge>
        <span className={classes.quiet}>{t('try.duration', { ms: response.durationMs })}</span>
      </div>
      <CodeBlock code={indented(response.text)} name={t('try.answer')} />
    </section>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
