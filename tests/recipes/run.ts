import { buildPage } from '../../scripts/build.ts'
import { installPackages } from '../../scripts/system-packages.ts'
import { printCounts, runVitest } from '../../scripts/test-runs.ts'
import { isInstalled } from './programs.ts'

// Packages of Debian; installed only where that is allowed. A program that is missing fails its tests.
const programs = {
  caddy: 'caddy',
  'docker-compose': 'docker-compose',
  haproxy: 'haproxy',
  nginx: 'nginx',
  openssl: 'openssl',
  'systemd-analyze': 'systemd',
}
const missing = Object.entries(programs).flatMap(([program, name]) => (isInstalled(program) ? [] : [name]))
if (missing.length > 0) installPackages('A program of deploy/', missing)
await buildPage()
printCounts([await runVitest(['--config', 'tests/recipes/vitest.config.ts', ...process.argv.slice(2)])])
