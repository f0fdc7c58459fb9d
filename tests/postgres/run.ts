import { printStatus } from '../../scripts/terminal.ts'
import { printCounts, runVitest } from '../../scripts/test-runs.ts'

printStatus('PostgreSQL tests: storage suite, protocol, several processes, crashes and shutdowns …')
printCounts([await runVitest(['--config', 'tests/postgres/vitest.config.ts', ...process.argv.slice(2)])])
