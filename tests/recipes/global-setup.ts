import { buildPage } from '../../scripts/build.ts'
import { installPackages } from '../../scripts/system-packages.ts'
import { isInstalled } from './programs.ts'

/** The programs of deploy/, those that open our files, and providers of single sign-on, with their packages in Debian. */
const programs = {
  apache2: 'apache2',
  caddy: 'caddy',
  'docker-compose': 'docker-compose',
  glewlwyd: 'glewlwyd',
  haproxy: 'haproxy',
  'keepassxc-cli': 'keepassxc',
  '/usr/share/lemonldap-ng/bin/purgeCentralCache': 'liblemonldap-ng-portal-perl',
  nginx: 'nginx',
  openssl: 'openssl',
  soffice: 'libreoffice-calc',
  ssconvert: 'gnumeric',
  'systemd-analyze': 'systemd',
  varnishd: 'varnish',
}

/** Installs what is missing, only where that is allowed. Tests of a missing program fail. */
export async function setup(): Promise<void> {
  const missing = Object.entries(programs).flatMap(([program, name]) => (isInstalled(program) ? [] : [name]))
  if (missing.length > 0) installPackages('A program of these tests', missing)
  await buildPage()
}
