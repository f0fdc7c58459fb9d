import { expect, it } from 'vitest'
import { toClientAddress } from './client-address.ts'

it.each([
  ['1.2.3.4', '1.2.3.4'],
  ['1.2.3.4:1234', '1.2.3.4'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::FFFF:1.2.3.4', '1.2.3.4'],
  ['::ffff:102:304', '1.2.3.4'],
  ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
  ['[::ffff:1.2.3.4]:443', '1.2.3.4'],
  ['2001:DB8::1', '2001:db8:0:0'],
  ['2001:0db8:0000:0000:ffff::1', '2001:db8:0:0'],
  ['[2001:db8::1]:443', '2001:db8:0:0'],
  ['[2001:db8::1]', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['unknown', 'unknown'],
])('the client address of %s is %s', (text, address) => {
  expect(toClientAddress(text)).toBe(address)
})
