import { runVitest, sumUp } from '../../scripts/runners.ts'
import { say } from '../../scripts/terminal.ts'

say('PostgreSQL: the storage suite, the protocol, many processes, kills and stops …')
sumUp([await runVitest(['--config', 'tests/postgres/vitest.config.ts', ...process.argv.slice(2)])])
