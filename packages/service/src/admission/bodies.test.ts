import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { type BodyRead, bodyReader } from './bodies.ts'

test('callers that are not known have half of the memory for bodies, and known ones all that is left', () => {
  const bodies = bodyReader(1_000, 1_000)
  const arrive = (isKnown: boolean, bytes: number) => {
    const incoming = new IncomingMessage(new Socket())
    const ended: BodyRead[] = []
    bodies.read(incoming, isKnown, (how) => ended.push(how))
    incoming.emit('data', Buffer.alloc(bytes))
    return { incoming, ended }
  }
  const first = arrive(false, 500)
  expect(first.ended).toEqual([])
  expect(arrive(false, 1).ended).toEqual(['full'])
  expect(arrive(true, 500).ended).toEqual([])
  expect(arrive(true, 1).ended).toEqual(['full'])
  // It gives back its part when it has been answered.
  first.incoming.emit('end')
  expect(arrive(false, 1).ended).toEqual(['full'])
  bodies.forget(first.incoming)
  bodies.forget(first.incoming)
  expect(arrive(false, 500).ended).toEqual([])
  expect(arrive(false, 1).ended).toEqual(['full'])
})
