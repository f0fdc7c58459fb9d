import { runVitest, sumUp } from '../../scripts/runners.ts'
import { printStatus } from '../../scripts/terminal.ts'

printStatus('PostgreSQL: the storage suite, the protocol, many processes, kills and stops …')
sumUp([await runVitest(['--config', 'tests/postgres/vitest.config.ts', ...process.argv.slice(2)])])
