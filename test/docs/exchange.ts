import type { Service } from '../../packages/service/src/index.ts'
import { masked } from './masked.ts'
import type { Block } from './pages.ts'

// A block of the language `http`: method and path, headers, perhaps a body; an empty line; status, headers, perhaps a body.

interface Message {
  readonly start: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request as a page shows it, with its answer. */
export interface Exchange {
  readonly line: number
  /** Method and path. */
  readonly start: string
  readonly request: Message
  readonly response: Message
}

function messageOf(text: string): Message {
  const [start = '', ...lines] = text.split('\n')
  const headers = lines.filter((line) => /^[A-Za-z-]+: /.test(line)).map((line) => line.split(/: (.*)/s).slice(0, 2))
  return { start, headers: Object.fromEntries(headers), body: lines.find((line) => line.startsWith('{')) ?? '' }
}

export function exchangeOf({ text, line }: Block): Exchange {
  const [request = '', response = ''] = text.split('\n\n')
  return { line, start: request.split('\n')[0] ?? '', request: messageOf(request), response: messageOf(response) }
}

/** The answer on a page, but for values that change. */
export function shownAnswer({ response: { start, headers, body } }: Exchange) {
  return { status: start, headers, body: masked(body) }
}

/** Sends the request, with this key unless it has one. Gives of the answer what the page shows of it. */
export async function sent({ request, response }: Exchange, app: Service, key: string): Promise<ReturnType<typeof shownAnswer>> {
  const [method = '', path = ''] = request.start.split(' ')
  const answer = await app.request(path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...request.headers },
    ...(request.body === '' ? {} : { body: request.body }),
  })
  const headers = Object.fromEntries(Object.keys(response.headers).map((name) => [name, answer.headers.get(name) ?? '']))
  return { status: String(answer.status), headers, body: masked(await answer.text()) }
}
