import { spawnSync } from 'node:child_process'
import { root } from '../terminal.ts'

const maxTitleLength = 72
/** Titles of older commits are longer. */
const lastUnchecked = 'c51ec3f79d04b89b118a5331f317daa5192e81bb'

/** Commits with long titles. Finds none where the history is missing: in a tarball or a shallow clone. */
export function findLongCommitTitles(): string[] {
  const log = spawnSync('git', ['log', '--format=%h %s', `${lastUnchecked}..HEAD`], {
    cwd: root,
    encoding: 'utf8',
  })
  if (log.status !== 0) return []
  return (
    log.stdout
      .split('\n')
      .filter((line) => line.slice(line.indexOf(' ') + 1).length > maxTitleLength)
      // Written by git.
      .filter((line) => !/^\w+ Revert "/.test(line))
      .map((line) => `the title of commit ${line} is longer than ${maxTitleLength} characters`)
  )
}
