#!/usr/bin/env node
import { runCommandLine } from './commands/command-line.ts'

// As in server/main.ts: only the owner can read databases, backups and exports.
process.umask(0o077)
process.exitCode = await runCommandLine(process.argv.slice(2), process)
