import { describe, expect, it } from 'vitest'
import type { FirebaseProject } from './firebase/project.ts'
import { importRecords } from './firebase/records.ts'
import { type ReportProgress, withProgress } from './progress.ts'

describe('progress of an import', () => {
  it('counts the records on Firebase after each part', async () => {
    const books = Array.from({ length: 900 }, (_, i) => ({
      id: `r${String(i).padStart(4, '0')}`,
      eName: 'Ada',
      email: 'ada@example.com',
      password: 'engine',
    }))
    const [events, reportProgress] = recorder()
    const project = {
      database: 'projects/demo/databases/(default)',
      firestore: async (call: string) => {
        if (call === 'commit') events.push('commit')
        return []
      },
      query: async (method: string) =>
        method === 'runQuery' ? [] : [{ result: { aggregateFields: { count: { integerValue: '0' } } } }],
    } as unknown as FirebaseProject
    await importRecords(project, 'token', books, reportProgress)
    expect(events).toEqual([
      '0 of 900',
      'commit',
      '400 of 900',
      'commit',
      '800 of 900',
      'commit',
      '900 of 900',
    ])
  })

  it('is shown on one line of a terminal, which is cleared also after an error, and not elsewhere', async () => {
    const outputOf = async (isTTY: boolean) => {
      const output: string[] = []
      const write = (text: string) => output.push(text) > 0
      const failingTask = withProgress({ isTTY, write } as NodeJS.WriteStream, (reportProgress) => {
        reportProgress(400, 900)
        reportProgress(800, 900)
        throw new Error('refused')
      })
      await expect(failingTask).rejects.toThrow('refused')
      return output.join('').split('\r\u001b[K')
    }
    expect(await outputOf(true)).toEqual(['', 'Records: 400 of 900 …', 'Records: 800 of 900 …', ''])
    expect(await outputOf(false)).toEqual([''])
  })
})

function recorder(): [events: string[], reportProgress: ReportProgress] {
  const events: string[] = []
  return [events, (done, all) => events.push(`${done} of ${all}`)]
}
