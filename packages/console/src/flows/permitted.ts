import type { PermittedCall } from '@freehold/client'
import { useQueries, useQuery } from '@tanstack/react-query'
import { designClient, queries, sessionQuery } from '../app/service.ts'
import type { Values } from '../app/told.ts'
import { type OfferedFlow, sentOf } from './told-flows.ts'

/** The user as whom this page acts in a design: the person who is signed in, or whom a key names. That is kept in the page alone. */
const actingQuery = (design: string, of: 'typed' | 'settled') => ({
  queryKey: ['acting', design, of],
  queryFn: () => '',
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})
export function useActing(design: string): string {
  const { data: session } = useQuery(sessionQuery)
  const { data: typed = '' } = useQuery(actingQuery(design, 'typed'))
  return session?.person?.user ?? typed.trim()
}
/** The same, and nobody while a name is being typed: all parts of a screen ask at the same time, and once. */
function useSettled(design: string): string {
  const { data: session } = useQuery(sessionQuery)
  const { data: settled = '' } = useQuery(actingQuery(design, 'settled'))
  return session?.person?.user ?? settled
}
let typing: ReturnType<typeof setTimeout> | undefined
export function actAs(design: string, user: string): void {
  const set = (of: 'typed' | 'settled', text: string) => queries.setQueryData(actingQuery(design, of).queryKey, text)
  set('typed', user)
  set('settled', '')
  clearTimeout(typing)
  typing = setTimeout(() => set('settled', user.trim()), 300)
}

interface Waiting {
  readonly call: { readonly flow: string; readonly input: Values }
  readonly resolve: (answer: PermittedCall) => void
  readonly reject: (error: unknown) => void
}
const calls_max = 100
const waitingBy = new Map<string, Waiting[]>()

async function askAll(design: string, as: string, all: readonly Waiting[]) {
  for (let at = 0; at < all.length; at += calls_max) {
    const some = all.slice(at, at + calls_max)
    try {
      const answers = await designClient(design).permitted(
        some.map(({ call }) => call),
        { as },
      )
      for (const [index, { resolve }] of some.entries()) resolve(answers[index] ?? { allowed: false })
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }
}

/** All that the buttons of a screen ask at once goes as one request. */
function ask(design: string, as: string, call: Waiting['call']): Promise<PermittedCall> {
  const key = JSON.stringify([design, as])
  return new Promise((resolve, reject) => {
    const waiting = waitingBy.get(key) ?? []
    waiting.push({ call, resolve, reject })
    if (waiting.length > 1) return
    waitingBy.set(key, waiting)
    setTimeout(() => {
      waitingBy.delete(key)
      void askAll(design, as, waiting)
    })
  })
}

/** What is known of the inputs of a flow. No secret is asked about, or kept as the name of an answer. */
const inputOf = ({ flow, given }: OfferedFlow): Values =>
  Object.fromEntries(
    flow.input.flatMap((input) => {
      const text = input.secret === true ? '' : (given[input.name] ?? '')
      return text === '' ? [] : [[input.name, sentOf(input, text)]]
    }),
  )

/** Whether the flows may be run, in their order, with what is known of their inputs. Undefined until that is known, and where nobody is named as who acts. */
export function useAnswers(design: string, offered: readonly OfferedFlow[]): readonly (PermittedCall | undefined)[] {
  const { data: session } = useQuery(sessionQuery)
  const acting = useActing(design)
  const as = useSettled(design)
  const answers = useQueries({
    queries: offered.map((each) => {
      const call = { flow: each.flow.name, input: inputOf(each) }
      return { queryKey: ['permitted', design, as, call], queryFn: () => ask(design, as, call), enabled: as !== '' }
    }),
  })
  if (session?.purpose === 'operator' && acting === '') return offered.map(() => ({ allowed: true }))
  return answers.map(({ data }) => (as === '' ? undefined : data))
}

/** Those of the flows that would not be denied. One that needs a permission at a place that is not known yet is there: its form asks again. */
export function usePermitted(design: string, offered: readonly OfferedFlow[]): readonly OfferedFlow[] {
  const answers = useAnswers(design, offered)
  return offered.filter((_, index) => answers[index]?.allowed === true || answers[index]?.lacks !== undefined)
}

/** Why nobody can act as the user who is named. */
export function useActingFailure(design: string): string | undefined {
  const as = useSettled(design)
  const { error } = useQuery({
    queryKey: ['permitted', design, as],
    queryFn: () => ask(design, as, { flow: '', input: {} }),
    enabled: as !== '',
  })
  return as !== '' && error instanceof Error ? error.message : undefined
}
