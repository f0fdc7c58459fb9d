import { printStatus } from '../../scripts/terminal.ts'
import { printCounts, runVitest } from '../../scripts/test-runs.ts'

printStatus('recipes of deploy/: Caddy, nginx, HAProxy, systemd, compose files …')
printCounts([await runVitest(['--config', 'tests/recipes/vitest.config.ts', ...process.argv.slice(2)])])
