import { printStatus } from '../../scripts/terminal.ts'
import { printCounts, runVitest } from '../../scripts/test-runs.ts'

printStatus('PostgreSQL: the storage suite, the protocol, many processes, kills and stops …')
printCounts([await runVitest(['--config', 'tests/postgres/vitest.config.ts', ...process.argv.slice(2)])])
