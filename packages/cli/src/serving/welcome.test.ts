import { designModules } from '@freehold/designs'
import { expect, test } from 'vitest'
import { widthOf } from '../output/safe-text.ts'
import { type Welcome, welcomeText } from './welcome.ts'

const names = [...designModules.keys()]
const key = `fhk_${'0'.repeat(69)}`
const welcome: Welcome = {
  address: 'http://127.0.0.1:3000',
  designs: names,
  table: undefined,
  where: 'with its data in /home/ada/freehold/.freehold',
  key,
  samples: { loaded: new Set(names), asked: new Set(names) },
  console: 'fhl_secret',
  assignment: '',
  isShared: true,
}

const commandsIn = (text: string) => [...text.matchAll(/^ {2}((?:curl|npx) .*)$/gm)].map(([, command]) => command)

test('without a terminal each command is one line', () => {
  const commands = commandsIn(welcomeText(welcome))
  expect(commands).toHaveLength(7)
  for (const command of commands) expect(command).not.toContain('\\')
})

test('commands for data in memory ask the server', () => {
  const text = welcomeText({ ...welcome, isShared: false, table: 'dev' })
  expect(text).toContain(`  FREEHOLD_URL=http://127.0.0.1:3000 FREEHOLD_API_KEY=${key} npx freehold why rebac '{`)
  expect(text).not.toContain('--table')
})

test('on a terminal a command that is too wide goes on in the next line, and is the same', () => {
  const text = welcomeText({ ...welcome, columns: 80 })
  expect(text).toContain('/v1/rebac/can \\\n    -H ')
  expect(commandsIn(text.replaceAll(' \\\n    ', ' '))).toEqual(commandsIn(welcomeText(welcome)))
})

test.each([60, 80, 120])('a terminal of %i columns breaks only what must stay whole: keys, and JSON', (columns) => {
  const lines = welcomeText({ ...welcome, columns }).split('\n')
  const wide = lines.filter((line) => widthOf(line) > columns && !line.includes(key) && !/^ {4}(-d )?'\{/.test(line))
  expect(wide).toEqual([])
})

test('the last line opens the console, or names the command that makes a link where others may read', () => {
  expect(welcomeText(welcome)).toMatch(/\n {2}http:\/\/127\.0\.0\.1:3000\/console\/#open=fhl_secret\n$/)
  const logged = welcomeText({ ...welcome, console: undefined })
  expect(logged).toMatch(/\nThe console is at http:\/\/127\.0\.0\.1:3000\/console\/: `freehold console` makes a link that opens it\.\n$/)
})
