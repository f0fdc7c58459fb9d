import { describe, expect, it } from 'vitest'
import type { FirebaseProject } from './firebase/project.ts'
import { importRecords } from './firebase/records.ts'
import { type ReportProgress, withProgress } from './progress.ts'

describe('moving a register: how far it is', () => {
  it('records on their way to Firebase are counted with each part that is there', async () => {
    const books = Array.from({ length: 900 }, (_, i) => ({
      id: `r${String(i).padStart(4, '0')}`,
      eName: 'Ada',
      email: 'ada@example.com',
      password: 'engine',
    }))
    const [events, tell] = recorder()
    const project = {
      database: 'projects/demo/databases/(default)',
      firestore: async (call: string) => {
        if (call === 'commit') events.push('commit')
        return []
      },
    } as unknown as FirebaseProject
    await importRecords(project, 'token', books, tell)
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

  it('it is said on one line of a terminal, which is free again also where it fails; elsewhere nothing is', async () => {
    const outputOf = async (isTTY: boolean) => {
      const words: string[] = []
      const write = (text: string) => words.push(text) > 0
      const failing = withProgress({ isTTY, write } as NodeJS.WriteStream, (tell) => {
        tell(400, 900)
        tell(800, 900)
        throw new Error('refused')
      })
      await expect(failing).rejects.toThrow('refused')
      return words.join('').split('\r\u001b[K')
    }
    expect(await outputOf(true)).toEqual(['', 'Records: 400 of 900 …', 'Records: 800 of 900 …', ''])
    expect(await outputOf(false)).toEqual([''])
  })
})

function recorder(): [events: string[], tell: ReportProgress] {
  const events: string[] = []
  return [events, (done, all) => events.push(`${done} of ${all}`)]
}
