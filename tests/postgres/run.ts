import { runVitest, sumUp } from '../../scripts/runners.ts'
import { printStatus } from '../../scripts/terminal.ts'

printStatus('PostgreSQL tests: storage suite, protocol, several processes, crashes and shutdowns …')
sumUp([await runVitest(['--config', 'tests/postgres/vitest.config.ts', ...process.argv.slice(2)])])
