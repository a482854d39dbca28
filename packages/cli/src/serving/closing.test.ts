import { expect, test } from 'vitest'
import { closing } from './closing.ts'

test('whoever asks for the end a second time waits for the first, and nothing is closed before what was opened after it', async () => {
  const opened = closing()
  const closed: string[] = []
  let endRequests = () => {}
  opened.add(() => void closed.push('sender'))
  opened.add(async () => {
    await new Promise<void>((resolve) => {
      endRequests = resolve
    })
    closed.push('requests')
  })
  const first = opened.all()
  const second = opened.all().then(() => closed.push('second end'))
  await new Promise(setImmediate)
  expect(closed).toEqual([])
  opened.add(() => void closed.push('opened late'))
  endRequests()
  await Promise.all([first, second])
  expect(closed).toEqual(['requests', 'opened late', 'sender', 'second end'])
})

test('what could not be closed keeps nothing else open', async () => {
  const opened = closing()
  const closed: string[] = []
  opened.add(() => void closed.push('first'))
  opened.add(() => Promise.reject(new Error('refused')))
  await expect(opened.all()).rejects.toThrow('refused')
  await opened.all()
  expect(closed).toEqual(['first'])
})
