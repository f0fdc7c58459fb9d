import { expect, test } from 'vitest'
import { file, hostileFiles, makeWorkbook } from '../../../../../tests/support/hostile-files.ts'
import { parseSource } from './parse-source.ts'
import { SourceError, toSourceError } from './sheet.ts'

test.each(hostileFiles)('%s are read or refused within seconds', async (_, source) => {
  const start = process.cpuUsage()
  await parseSource(source).catch((error) => expect(error).toBeInstanceOf(SourceError))
  // Hardly one on a fast machine; without the limits, minutes to hours.
  expect(process.cpuUsage(start).user).toBeLessThan(20_000_000)
})

test('a recursion that is too deep is told in the same way in Firefox as elsewhere', () => {
  const error = Object.assign(new Error('too much recursion'), { name: 'InternalError' })
  expect(toSourceError(error).message).toBe(toSourceError(new RangeError()).message)
})

test('more sheets than anyone can choose from are refused: the page would have an option for each', async () => {
  const makePage = (count: number) => file('<table><td>a@b.org</table><table></table>'.repeat(count))
  expect((await parseSource(makePage(2_000))).workbook?.sheets).toHaveLength(2_000)
  await expect(parseSource(makePage(2_001))).rejects.toThrow('too big')
})

test.each([
  ['a Slack list', 'email,billing-active,has-2fa,userid,status\na@b.org,1,1,1,constructor'],
  ['a list of JSON', '[{"email":["a@b.org"],"x":[[{"toString":1}]],"__proto__":{"a":1}}]'],
  ['one person of JSON', '{"x":{"toString":1},"email":"a@b.org"}'],
  ['Bitwarden', '{"encrypted":false,"items":[{"type":{"toString":1},"name":"a"}]}'],
  ['Psono', '{"items":[{"type":{"toString":1}},{"type":"a_password","a_password_title":"a"}]}'],
  ['1Password', '{"accounts":[{"vaults":[{"items":[{"categoryUuid":{"valueOf":1,"toString":1}}]}]}]}'],
])('names that every object has are plain texts in %s', async (_, content) => {
  const source = await parseSource(file(content))
  expect(structuredClone(source)).toEqual(source)
})

test('entities that XML declares itself, and other files that it names, are not resolved', async () => {
  const declared = '<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">'
  const cells = ['&b;@b.org', '&c;'].map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`)
  const source = makeWorkbook(`<!DOCTYPE a [${declared}]><row>${cells.join('')}</row>`)
  const { rows } = await parseSource(source)
  expect(rows[0]?.cells).toEqual(['&b;@b.org', '&c;'])
})

test('a locked file that asks for what is no number is told to be damaged', async () => {
  const locked = { encrypted: true, passwordProtected: true, kdfType: 0, kdfIterations: 'x', data: '' }
  for (const kdfIterations of ['1', -1, 0.5, {}]) {
    const content = file(JSON.stringify({ ...locked, kdfIterations }))
    await expect(parseSource(content, { password: 'a' })).rejects.toBeInstanceOf(SourceError)
  }
})
