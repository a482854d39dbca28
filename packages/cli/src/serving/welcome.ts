import { platform } from '@freehold/designs/platform'
import { rebac } from '@freehold/designs/rebac'
import { consoleAddress } from '../commands/console.ts'
import { listed } from '../output/listed.ts'
import { wrapText } from '../output/safe-text.ts'
import { type LoadedSamples, type SampleQuestion, sampleQuestions, stories } from '../sample/load-samples.ts'
import { quoted } from './places.ts'

export interface Welcome {
  /** `http://127.0.0.1:3000` */
  readonly address: string
  /** The names of the served designs, at least one. */
  readonly designs: readonly string[]
  /** The table of the one served design, if it is not the design's own. */
  readonly table: string | undefined
  /** The place of the data, in words. */
  readonly where: string
  /** A newly created key, which is shown only once. */
  readonly key?: string | undefined
  /** The file that has a newly created key instead, where stdout is no terminal. */
  readonly keyFile?: string | undefined
  readonly samples: Pick<LoadedSamples, 'loaded' | 'asked'>
  /** The secret of a link that opens the console once. */
  readonly console: string | undefined
  /** The prefix by which a command in another terminal uses the same data: an assignment and a space, or nothing. */
  readonly assignment: string
  /** False for data that another process reaches through the server alone. */
  readonly isShared: boolean
  /** The width of the terminal. Without one, each command is one line. */
  readonly columns?: number | undefined
}

/** A command that works as it is printed. One that is wider than the terminal goes on in the next line. */
function commandText({ columns = Number.POSITIVE_INFINITY }: Pick<Welcome, 'columns'>, parts: readonly string[]): string {
  const line = parts.join(' ')
  return `  ${line.length + 2 <= columns ? line : parts.join(' \\\n    ')}\n`
}

/** Sentences, wrapped at the width of the terminal. */
function wrapped({ columns }: Pick<Welcome, 'columns'>, text: string): string {
  return `${columns === undefined ? text : wrapText(text, columns).join('\n')}\n`
}

/** How a shell reads the new key. Without one it is in the environment. */
const keyWord = ({ key, keyFile }: Welcome): string => key ?? (keyFile === undefined ? '$FREEHOLD_API_KEY' : `$(cat ${quoted(keyFile)})`)

/** A curl command that works as printed. Without a new key, it takes the key from the environment. */
function curlLine(welcome: Welcome, path: string, body?: object): string {
  const { address, key } = welcome
  const authorization = key === undefined ? `"Authorization: Bearer ${keyWord(welcome)}"` : `'Authorization: Bearer ${key}'`
  const sent = body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`]
  return commandText(welcome, [`curl -s ${address}${path}`, `-H ${authorization}`, ...sent])
}

/** The questions to try: one of each design, and a denial that is explained. */
function questionsOf({ samples }: Welcome): readonly SampleQuestion[] {
  const asked = sampleQuestions.filter(({ design }) => samples.asked.has(design))
  const denial = asked.find(({ asked: name, title }) => name === 'why' && title.includes(' not '))
  return [...asked.filter(({ asked: name }) => name === 'can'), ...(denial === undefined ? [] : [denial])]
}

const counts = ['', 'A thing', 'Two things', 'Three things', 'Four things', 'Five things']

/** Lines that work as they are printed. Without a sample, the list of designs. */
function trials(welcome: Welcome): string {
  const questions = questionsOf(welcome)
  if (questions.length === 0) return `List the designs and their questions:\n${curlLine(welcome, '/v1')}`
  const lines = questions.map(({ title, design, asked, body }) => `${title}\n${curlLine(welcome, `/v1/${design}/${asked}`, body)}`)
  return `${counts[questions.length]} to try:\n\n${lines.join(welcome.columns === undefined ? '' : '\n')}`
}

/** Commands for another terminal. */
function commandsOf(welcome: Welcome): readonly string[] {
  const { designs, table, address, isShared } = welcome
  const assignment = isShared ? welcome.assignment : `FREEHOLD_URL=${address} FREEHOLD_API_KEY=${keyWord(welcome)} `
  const named = table === undefined || !isShared ? [] : [`--table ${table}`]
  const [first = ''] = designs
  const of = designs.includes(rebac.name) ? rebac.name : designs.includes(platform.name) ? platform.name : undefined
  if (of === undefined) return [commandText(welcome, [`${assignment}npx freehold ${isShared ? `export ${first}` : 'designs'}`, ...named])]
  const questions = sampleQuestions.filter(({ design, asked }) => design === of && (asked === 'why' || asked === 'what'))
  return questions.map(({ asked, body }) =>
    commandText(welcome, [`${assignment}npx freehold ${asked} ${of}`, `'${JSON.stringify(body)}'`, ...named]),
  )
}

/** Where the new key is: in the commands above, so that each works as it is printed, or in a file. */
function keptWords(welcome: Welcome): string {
  const { key, keyFile } = welcome
  const another = '`freehold serve --new-key` creates another.'
  if (keyFile !== undefined)
    return `\n${wrapped(welcome, `The first API key is in ${keyFile}, which only you can read: this output may be a log. ${another}`)}`
  if (key === undefined) return ''
  return `\n${wrapped(welcome, `The key after Bearer is shown only once: keep it, for example in FREEHOLD_API_KEY. ${another}`)}`
}

/** The samples that were loaded, as one story. */
function storyOf(welcome: Welcome): string {
  const { loaded } = welcome.samples
  if (loaded.size === 0) return ''
  const told = Object.keys(stories).flatMap((name) => (loaded.has(name) ? [`${stories[name]} (${name})`] : []))
  const organisation = loaded.has(rebac.name) ? 'small sample organisation' : 'small sample'
  return wrapped(welcome, `A ${organisation} was loaded: ${listed(told)}.`)
}

/** One line to click, the last one. */
function consoleLine(welcome: Welcome): string {
  const { address, console } = welcome
  if (console === undefined)
    return wrapped(welcome, `The console is at ${address}/console/: \`freehold console\` makes a link that opens it.`)
  return `${wrapped(welcome, 'The console, by a link that works once, within ten minutes, on this machine:')}  ${consoleAddress(address, console)}\n`
}

/** The text of a started server: what it serves, and what to try. */
export function welcomeText(welcome: Welcome): string {
  const { address, designs, where } = welcome
  return `${wrapped(welcome, `Freehold answers at ${address}, ${where}. Ctrl-C ends it.`)}${wrapped(welcome, `It serves ${listed(designs)}.`)}${storyOf(welcome)}
${trials(welcome)}${keptWords(welcome)}
In another terminal:
${commandsOf(welcome).join('')}
${consoleLine(welcome)}`
}
