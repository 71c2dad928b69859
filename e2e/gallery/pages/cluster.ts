import { data, type GalleryPage, refused } from '../gallery-page.ts';
import { alone, drained, draining, join, three, troubled } from '../samples/cluster.ts';
import { asking, confirm, press, steps } from '../steps.ts';

export const clusterPages: readonly GalleryPage[] = [
  {
    id: 'cluster',
    path: 'routers-settings?tab=cluster',
    needs: ['queryCluster'],
    states: [
      { name: 'alone', answers: { queryCluster: data(alone) }, shows: 'cluster:begin.how' },
      { name: 'three', answers: { queryCluster: data(three) }, shows: 'cluster:node.self' },
      { name: 'draining', answers: { queryCluster: data(draining) }, shows: 'cluster:drain.end' },
      { name: 'drained', answers: { queryCluster: data(drained) }, shows: 'cluster:drain.done' },
      { name: 'troubles', answers: { queryCluster: data(troubled) }, shows: 'cluster:trouble.no-address.what' },
      {
        ...asking('drain', 'cluster:drain.ask', press('cluster:drain.start')),
        answers: { queryCluster: data(three) },
      },
      {
        name: 'drain refused',
        answers: { queryCluster: data(three), drainNode: refused('storeNotReady') },
        act: steps(press('cluster:drain.start'), confirm),
        shows: 'errors:explained.storeNotReady.what',
      },
      {
        name: 'join',
        answers: { queryCluster: data(three), queryClusterJoin: data(join) },
        act: press('cluster:join.show'),
        shows: 'cluster:join.careful',
      },
      {
        name: 'join refused',
        answers: { queryCluster: data(three), queryClusterJoin: refused('storeNotReady') },
        act: press('cluster:join.show'),
        shows: 'errors:explained.storeNotReady.what',
      },
    ],
  },
];
