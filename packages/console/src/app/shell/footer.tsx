// Product, version, and the ICP filing number if the operator has set one.

import { Anchor } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { productName } from '@srs-stack/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.ts';
import { projectLinks } from '../../shared/project-links.ts';
import { useBeian } from './beian.ts';
import classes from './footer.module.css';

export function Footer() {
  const { icp } = useBeian();
  const version = useQuery({ ...apiQuery(calls.queryVersion, {}), staleTime: Number.POSITIVE_INFINITY });
  return (
    <footer className={classes.footer}>
      <Anchor href={projectLinks.repository} target="_blank" rel="noreferrer" c="inherit" inherit>
        {productName} © {new Date().getFullYear()}
      </Anchor>
      <span className={classes.version}>{version.data ? `v${version.data.version.replace(/^v/, '')}` : ' '}</span>
      {icp && (
        <Anchor href={projectLinks.icpRegistry} target="_blank" rel="noreferrer" c="inherit" inherit>
          {icp}
        </Anchor>
      )}
    </footer>
  );
}
