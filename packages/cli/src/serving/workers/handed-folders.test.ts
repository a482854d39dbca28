import { designModules } from '@freehold/designs'
import type { DesignModule, ModuleFolder } from '@freehold/frame'
import { FreeholdError } from '@freehold/table'
import { expect, test } from 'vitest'
import { quietShell } from '../../../test/quiet-shell.ts'
import { defaultSettings } from '../../config/settings.ts'
import { handedFolders } from './handed-folders.ts'

const [module = expect.fail('There is a design.')] = designModules.values()
const state = (text: string) => ({ name: 'policies', texts: [['a.cedar', text]] as const })

/** A module by a folder that refuses the text `wrong`, and each state by which it decides. */
function stage(first: string) {
  const taken: unknown[] = []
  const refused: string[] = []
  let letOpen = () => {}
  const opening = new Promise<void>((resolve) => {
    letOpen = resolve
  })
  const replace = async (texts: ReadonlyMap<string, string>) => {
    const text = texts.get('a.cedar')
    await undefined
    if (text === 'wrong') throw new FreeholdError('InvalidInput', 'It is wrong.', { issues: [] })
    taken.push(text)
  }
  const folder: ModuleFolder = {
    name: 'policies',
    holds: 'policies',
    takes: () => true,
    open: async (texts) => {
      await opening
      await replace(texts)
      return { module, replace }
    },
  }
  const handed = handedFolders(quietShell(defaultSettings), (why) => refused.push(why))
  handed.take(state(first))
  const opened: Promise<DesignModule> = handed.open(module, folder, '.')
  return { handed, opened, letOpen, taken, refused }
}

test('a module decides by the states that were handed on, in their order, also by those that came while it was opened', async () => {
  const { handed, opened, letOpen, taken, refused } = stage('one')
  handed.take(state('two'))
  handed.take(state('three'))
  letOpen()
  expect((await opened).design).toBe(module.design)
  expect(taken).toEqual(['one', 'three'])
  for (const text of ['four', 'five']) handed.take(state(text))
  await expect.poll(() => taken).toEqual(['one', 'three', 'four', 'five'])
  expect(refused).toEqual([])
})

test('a state that it refuses is told, since the others decide by it', async () => {
  const { handed, opened, letOpen, taken, refused } = stage('one')
  letOpen()
  await opened
  for (const text of ['wrong', 'two']) handed.take(state(text))
  await expect.poll(() => taken).toEqual(['one', 'two'])
  expect(refused).toEqual(['It is wrong.'])
})

test('one that begins with such a state does not serve', async () => {
  const { opened, letOpen } = stage('wrong')
  letOpen()
  await expect(opened).rejects.toThrow('It is wrong.')
})
