// Page title and ICP filing number of the operator. Defaults apply if the call fails.

import { calls } from '@srs-stack/contract/calls.ts';
import { productName } from '@srs-stack/contract/constants.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiQuery } from '../../api/api-query.ts';

export function useBeian(): { title: string; icp: string } {
  const { data } = useQuery({ ...apiQuery(calls.queryBeian, {}), staleTime: Number.POSITIVE_INFINITY });
  return { title: data?.title || productName, icp: data?.icp ?? '' };
}

/** Sets the title of the document. `mark` precedes the title. */
export function useDocumentTitle(mark = ''): void {
  const { title } = useBeian();
  useEffect(() => {
    document.title = `${mark}${title}`;
  }, [mark, title]);
}
