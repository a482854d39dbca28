import { AsyncLocalStorage } from 'node:async_hooks'
import type { AskedName, Decider, Evidence, Reason } from '@freehold/frame/decision'
import type { ObservedQuestion, Outcome } from './observed-decider.ts'
import { redactAll, redactText } from './redact.ts'
import type { TraceIds } from './trace-ids.ts'

/** The request that asks a question, as far as the service knows it. */
export interface AskingRequest {
  readonly request?: string | undefined
  readonly key?: string | undefined
  readonly issuer?: string | undefined
  readonly as?: string | undefined
  /** Of the request's span, or of its caller's. */
  readonly trace?: TraceIds | undefined
}

/** One question that was decided. */
export interface DecisionLine extends Omit<AskingRequest, 'trace'>, TraceIds {
  /** The instant of the answer. */
  readonly time: string
  readonly design: string
  readonly question: AskedName
  /** The fields of the question as they were asked: who, what and where. Of an object its type and id alone. */
  readonly asked: Readonly<Record<string, string | number | boolean | { readonly type?: string; readonly id?: string }>>
  readonly outcome: Exclude<Outcome, 'refused'>
  readonly reason?: Reason
  /** The chains that allow, or what is missing: of `why`, and of `can` if the log is to have it. */
  readonly evidence?: { readonly chains?: readonly (readonly Evidence[])[]; readonly missing?: readonly Evidence[] } | undefined
  /** The number of items on a page of a list. */
  readonly items?: number
  /** Sequential steps of the request's question, or of its batch. */
  readonly roundTrips?: number
  readonly ms: number
}

export interface DecisionLog {
  /** Takes a line. It does not delay the answer, and an error that it throws changes nothing. */
  write(line: DecisionLine): void
  /** Which questions are logged: all, those that were denied or got no answer, or a random part of all, from 0 to 1. By default all. */
  readonly which?: 'all' | 'denials' | number
  /** True to ask `why` after each logged `can`, for its evidence: the reads of the question once more, after its answer. By default false. */
  readonly hasEvidence?: boolean
  /** Told of each line that is still to be written, since its evidence is being read: a server that ends waits for it. */
  pending?(line: Promise<void>): void
}

/** The most characters of a text that a question has. The rest is cut off. */
const text_chars_max = 256
/** The most questions whose evidence is being read. More lines go without it. */
const explaining_max = 16

type AskedValue = DecisionLine['asked'][string]

function toldValue(value: unknown): AskedValue | undefined {
  if (typeof value === 'string') return redactText(value.slice(0, text_chars_max))
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'object' || value === null) return undefined
  const { type, id } = value as { readonly type?: unknown; readonly id?: unknown }
  return {
    ...(typeof type === 'string' ? { type: redactText(type.slice(0, text_chars_max)) } : {}),
    ...(typeof id === 'string' ? { id: redactText(id.slice(0, text_chars_max)) } : {}),
  }
}

/** The declared fields of a question. Nothing else of it is told. */
function toldFields(decider: Decider, asked: AskedName, question: unknown): DecisionLine['asked'] {
  if (typeof question !== 'object' || question === null) return {}
  const told = (decider.fields[asked] ?? []).map((name) => [
    name,
    Object.hasOwn(question, name) ? toldValue(Reflect.get(question, name)) : undefined,
  ])
  return Object.fromEntries(told.filter(([, value]) => value !== undefined))
}

function evidenceOf(answer: ObservedQuestion['answer']): DecisionLine['evidence'] {
  if (answer === undefined || !('chains' in answer)) return undefined
  return redactAll(answer.allowed ? { chains: answer.chains } : { missing: answer.missing })
}

const isDenial = (outcome: Outcome) => outcome === 'denied' || outcome === 'fault'

/** Writes the lines of a decision log. */
export interface DecisionLogger {
  /** Does the work of a request, whose questions are told with it. */
  within<T>(request: AskingRequest, work: () => T): T
  /** Tells a question that has ended. `decider` is that which was asked. */
  decided(question: ObservedQuestion, decider: Decider): void
}

export function decisionLogger({ write, which = 'all', hasEvidence = false, pending = () => {} }: DecisionLog): DecisionLogger {
  const asking = new AsyncLocalStorage<AskingRequest>()
  let explaining = 0
  const told = (line: DecisionLine) => {
    try {
      write(line)
    } catch {
      // The question is answered, and its log is the deployer's.
    }
  }
  /** The evidence is read after the answer. If the answer would be another by now, the line has none. */
  const explain = (line: DecisionLine, decider: Decider, question: unknown) => {
    explaining++
    // Its reads are no part of the request's cost.
    const explained = asking
      .exit(() => decider.why(question))
      .then(
        (why) => ((why.allowed ? 'allowed' : 'denied') === line.outcome ? { ...line, evidence: evidenceOf(why) } : line),
        () => line,
      )
      .then(told)
      .finally(() => {
        explaining--
      })
    pending(explained)
  }
  return {
    within: (request, work) => asking.run(request, work),
    decided: ({ design, asked, question, outcome, answer, ms, cost }, decider) => {
      if (outcome === 'refused') return
      if (which === 'denials' ? !isDenial(outcome) : which !== 'all' && Math.random() >= which) return
      const { request, key, issuer, as, trace } = asking.getStore() ?? {}
      const evidence = evidenceOf(answer)
      const line: DecisionLine = {
        time: new Date().toISOString(),
        ...(request === undefined ? {} : { request }),
        ...(key === undefined ? {} : { key }),
        ...(issuer === undefined ? {} : { issuer }),
        ...(as === undefined ? {} : { as }),
        ...trace,
        design,
        question: asked,
        asked: toldFields(decider, asked, question),
        outcome,
        ...(answer?.reason === undefined ? {} : { reason: redactAll(answer.reason) }),
        ...(evidence === undefined ? {} : { evidence }),
        ...(answer !== undefined && 'items' in answer ? { items: answer.items.length } : {}),
        ...(cost === undefined ? {} : { roundTrips: cost.roundTrips }),
        ms: Math.round(ms * 10) / 10,
      }
      const isExplained = hasEvidence && asked === 'can' && outcome !== 'fault' && explaining < explaining_max
      if (isExplained) explain(line, decider, question)
      else told(line)
    },
  }
}
