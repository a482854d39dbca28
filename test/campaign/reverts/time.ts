import type { Patch, Revert } from './revert.ts'

const attempt = 'packages/table/src/dynamo/attempt.ts'
const httpHandler = 'packages/table/src/dynamo/http-handler.ts'

/** The limit of an attempt, as something that the rest of the code gets hold of. */
const limitOf = (begin: string): readonly Patch[] => [
  {
    file: attempt,
    text: '      const timer = setTimeout(() => {',
    reverted: `      let timer\n      this.begin = () => {\n      timer = this.timer = setTimeout(() => {`,
  },
  {
    file: attempt,
    text: '      }, limit_ms)\n      const end = ',
    reverted: `      }, limit_ms)\n      }\n      ${begin}\n      const end =`,
  },
]

/** The bounds of a call: point 4 of issue 10. */
export const timeReverts: readonly Revert[] = [
  {
    name: 'an attempt begins once it has a connection',
    patches: [...limitOf(''), { file: attempt, text: '    this.#isSent = true', reverted: '    this.#isSent = true\n    this.begin()' }],
    shownBy: ['an engine hangs, and more is read than there are connections'],
  },
  {
    name: 'an attempt ends with the head of its answer',
    patches: [
      ...limitOf('this.begin()'),
      {
        file: httpHandler,
        text: '    this.#statusCode = statusCode',
        reverted: '    this.#statusCode = statusCode\n    clearTimeout(this.#attempt?.timer)',
      },
    ],
    shownBy: ['every answer drips'],
  },
  {
    name: 'each request of a call has the patience of the whole',
    patches: [
      { file: 'packages/table/src/run/write.ts', text: 'const runtime = withDeadline(unbounded)', reverted: 'const runtime = unbounded' },
    ],
    shownBy: ['others are always faster'],
  },
  {
    name: 'deadlines are by the clock of the machine',
    patches: [{ file: 'packages/table/src/run/connect.ts', text: '(() => performance.now())', reverted: '(() => Date.now())' }],
    shownBy: ['the clock of the machine is set back while the table is throttled'],
  },
  {
    name: 'a caller waits for a job to its end',
    patches: [
      {
        file: 'packages/table/src/run/jobs/progress.ts',
        text: 'runtime.monotonic_ms() > (progress.until_ms',
        reverted: 'false && (progress.until_ms',
      },
    ],
    shownBy: ['a caller waits for copies that take long'],
  },
  {
    name: 'what was given up is sent later',
    patches: [
      { file: httpHandler, text: 'else if (this.#attempt?.isEnded)', reverted: 'else if (false)' },
      { file: 'packages/table/src/dynamo/signed-sender.ts', text: 'if (attempt.isEnded)', reverted: 'if (false)' },
    ],
    shownBy: ['a connection becomes free after a write was given up', 'credentials come after a write was given up'],
  },
  {
    name: 'what never left is uncertain',
    patches: [{ file: attempt, text: 'if (this.#isSent) return Object.assign', reverted: 'if (true) return Object.assign' }],
    shownBy: ['a connection becomes free after a write was given up', 'credentials come after a write was given up'],
  },
]
