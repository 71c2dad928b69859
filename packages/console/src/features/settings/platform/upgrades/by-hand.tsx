// Shown when the server cannot upgrade itself: the reason, and the commands to run instead.
import type { Installation } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../../../ui/code-block.tsx';
import classes from './upgrades.module.css';

const commands: Readonly<Record<Exclude<Installation['kind'], 'checkout'>, string>> = {
  container: [
    'git pull',
    'docker build -t srs-stack -f deploy/Dockerfile .',
    'docker stop srs-stack && docker rm srs-stack',
    'docker run -d --init --name srs-stack -v srs-stack:/data \\',
    '  -p 80:2022 -p 443:2443 -p 1935:1935 -p 8554:8554 -p 10080:10080/udp -p 8000:8000/udp srs-stack',
  ].join('\n'),
  package: 'npm install srs-stack@latest\nsystemctl restart srs-stack',
  'no-remote': 'git remote add origin https://example.com/srs-stack.git\nsystemctl restart srs-stack',
  'no-git': 'sudo apt-get install -y git\nsystemctl restart srs-stack',
  'no-npm': 'sudo apt-get install -y npm\nsystemctl restart srs-stack',
};

export function ByHand({ kind }: { kind: keyof typeof commands }) {
  const { t } = useTranslation('platform');
  return (
    <div className={classes.byHand}>
      <p>{t(`upgrade.byHand.${kind}`)}</p>
      <CodeBlock code={commands[kind]} name={t('upgrade.commands')} />
    </div>
  );
}
