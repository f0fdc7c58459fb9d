import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { chooseEncoding, matchesEtag } from './negotiation.ts'

const requestWith = (headers: Record<string, string>) => ({ headers }) as unknown as FastifyRequest

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP;Q=1', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0,gzip;q=0.000', 'identity'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br ; q=0.5 , gzip', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *;q=0.1', 'gzip'],
  ['gzip;q=0.2, *;q=0', 'gzip'],
  ['gzip;q=0.5, identity;q=0.8', 'identity'],
  ['identity;q=0', 'identity'],
  ['identity', 'identity'],
  ['brotli, gzipped', 'identity'],
])('Accept-Encoding %j chooses %s of br and gzip', (header, expected) => {
  const request = requestWith(header === undefined ? {} : { 'accept-encoding': header })
  expect(chooseEncoding(request, ['br', 'gzip'])).toBe(expected)
})

it('chooses no encoding that is not offered', () => {
  const request = requestWith({ 'accept-encoding': 'br, gzip;q=0.5' })
  expect([chooseEncoding(request, ['gzip']), chooseEncoding(request, [])]).toEqual(['gzip', 'identity'])
})

it.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['"a-gzip"', true],
  ['W/"a;gzip"', true],
  ['"b", "a-br"', true],
  ['*', true],
  ['"b"', false],
  ['"a-b"', false],
  ['"b-gzip"', false],
  ['a', false],
])('If-None-Match %s matches "a": %s', (header, expected) => {
  expect(matchesEtag(requestWith({ 'if-none-match': header }), '"a"')).toBe(expected)
})
