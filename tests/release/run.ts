import { printStatus } from '../../scripts/terminal.ts'
import { printCounts, runVitest } from '../../scripts/test-runs.ts'

printStatus(
  'release tests: two archives, newcomers on three versions of Node, the image’s commands, an upgrade …',
)
printCounts([await runVitest(['--config', 'tests/release/vitest.config.ts', ...process.argv.slice(2)])])
