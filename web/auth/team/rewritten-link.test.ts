import { describe, expect, it } from 'vitest'
import { mayHaveRewrittenLink, readLink } from '../link-address.ts'
import { isWholeLink, readRewrittenLink } from './rewritten-link.ts'

const token = 'Zq3D_x-9aB2cD4eF6gH8iJ0kL1mN3oP5qR7sT9uV-wX'
const key = '3DAbCdEfGhIjKlMnOpQrStUvWxYz0123456789_-abc'

describe('reading a one-time link', () => {
  it.each([
    `/%23invite=${token}`,
    `/%23invite%3D${token}`,
    `/%2523invite%253D${token}`,
    `/%25252523invite=${token}`,
    `/#invite%3d${token}`,
    `/%23INVITE=${token}`,
    `/%23invite=${token}&data=05%7C02%7Cada%40example.com&sdata=abc%3D&reserved=0`,
    `/?fbclid=abc%23invite=${token}`,
    `/?%23invite=${token}`,
    `/#invite=3D${token}`,
    `/#invite=3D${token.slice(0, 20)}=%0D%0A${token.slice(20)}`,
    `/#invite=${token.slice(0, 20)}%20${token.slice(20)}`,
    `/#invite=${token.slice(0, 9)}%E2%80%8B${token.slice(9)}%C2%AD`,
    `/#invite=${token}%20Please`,
    `/#invite=${token}.`,
    `/#invite=${token}%3E,`,
    `/#invite=${token})`,
    `/#invite=${token}%22%3E`,
    `/#%23invite=${token}`,
    `/##invite=${token}`,
    `/#/invite=${token}`,
    `/index.html%23invite=${token}`,
    `/#invite&#x3D;${token}`,
    `/#invite&#61;${token}`,
    `/&num;invite&equals;${token}`,
    `/#invite&amp;#x3D;${token}&amp;x=1`,
    `/%ff%23invite=${token}`,
    `/signin#invite=${token}`,
    `/?invite=${token}`,
  ])('finds the invitation of %s', (address) => {
    expect(mayHaveRewrittenLink(address)).toBe(true)
    expect(readRewrittenLink(address)).toEqual({ name: 'invite', value: token })
  })

  it('finds a reset link and a credential with its key', () => {
    expect(readRewrittenLink(`/signin%23reset=${token}`)).toEqual({ name: 'reset', value: token })
    for (const dot of ['.', '%2E'])
      expect(readRewrittenLink(`/%23credential=${token}${dot}${key}`)).toEqual({
        name: 'credential',
        value: `${token}.${key}`,
      })
  })

  it.each([
    '/#invite',
    '/%23invite=',
    `/%23invite=${token.slice(0, 42)}`,
    `/%23credential=${token}.${key.slice(3)}`,
  ])('says that a part is missing of %s', (address) => {
    const link = readRewrittenLink(address)
    expect(mayHaveRewrittenLink(address)).toBe(true)
    expect(link && isWholeLink(link)).toBe(false)
  })

  it.each(['/', '/signin', '/invite', '/reset=1', '/?invite=ada', '/#other'])('finds none in %s', (address) =>
    expect(readRewrittenLink(address)).toBeNull(),
  )

  it.each([
    ['/', `#invite=${token}`],
    ['/?utm_source=mail', `#invite=${token}`],
    ['/', `#credential=${token}.${key}`],
    ['/signin', `#reset=${token}`],
  ])('needs no reading of the whole link %s%s', (path, hash) => {
    expect(mayHaveRewrittenLink(path + hash)).toBe(false)
    expect(readLink(hash)).toEqual(readRewrittenLink(path + hash))
  })

  it.each(['/', '/signin', '/login', '/#other', '/form?q=%23invite%3Dx', `/form?q=%23invite=${token}`])(
    'needs no reading of %s, which has no link',
    (address) => expect(mayHaveRewrittenLink(address)).toBe(false),
  )
})
