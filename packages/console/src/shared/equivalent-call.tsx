// The curl command that is equivalent to a form, collapsed by default.
import type { Call, RequestOf } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../ui/code-block.tsx';
import { curlCommand } from './curl-command.ts';
import classes from './equivalent-call.module.css';

export interface EquivalentCallProps<C extends Call> {
  endpoint: C;
  request: RequestOf<C>;
}

export function EquivalentCall<C extends Call>({ endpoint, request }: EquivalentCallProps<C>) {
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
