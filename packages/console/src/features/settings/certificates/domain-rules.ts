// Checks whether this page can order a certificate. The address of the page must contain exactly the domain, on a port
// that maps to port 80. Pure.

/** Allowed ports of the page. '' is the default port of the scheme, 3000 is the development server. */
const allowedPorts = ['', '80', '3000'];
const domainPattern = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;

export type DomainProblem = 'port' | 'page' | 'missing' | 'format' | 'differs';

export function isDomain(text: string): boolean {
  return domainPattern.test(text);
}

/** The first reason that prevents the order; undefined without one. */
export function domainProblem(domain: string, page: { hostname: string; port: string }): DomainProblem | undefined {
  if (!allowedPorts.includes(page.port)) return 'port';
  if (!isDomain(page.hostname)) return 'page';
  if (domain.trim() === '') return 'missing';
  if (!isDomain(domain.trim())) return 'format';
  return domain.trim().toLowerCase() === page.hostname.toLowerCase() ? undefined : 'differs';
}
