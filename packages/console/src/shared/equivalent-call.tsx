// The command that does the same as the form, folded: for those who script what they click.
import type { Endpoint, RequestOf } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../ui/code-block.tsx';
import { curlCommand } from './curl-command.ts';
import classes from './equivalent-call.module.css';

export interface EquivalentCallProps<E extends Endpoint> {
  endpoint: E;
  request: RequestOf<E>;
}

export function EquivalentCall<E extends Endpoint>({ endpoint, request }: EquivalentCallProps<E>) {
  const { t } = useTranslation();
  return (
    <details className={classes.details}>
      <summary className={classes.summary}>{t('curl.title')}</summary>
      <p className={classes.hint}>{t('curl.hint')}</p>
      <CodeBlock
        code={curlCommand({ url: location.origin + endpoint.path, body: JSON.stringify(request) })}
        name={t('curl.name')}
      />
    </details>
  );
}
