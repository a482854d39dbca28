import type { Attribute } from '@freehold/table'
import { kindWords, madeWords } from '@freehold/table/publish'
import type { Flow, Needs } from './flow.ts'
import type { FlowError } from './flow-errors.ts'
import type { Returns } from './returns.ts'

/** One input of a flow, for whoever has only its name. */
export interface InputDescription {
  readonly name: string
  /** The kind of the attribute: `text`, `uuid`, `flag`, … */
  readonly kind: string
  readonly required: boolean
  /** All values, where they are few. */
  readonly values?: readonly string[]
  /** What it holds, where its kind alone does not say so: the parts of a map, say. */
  readonly holds?: string
  /** What it is where it is left out, if anything. */
  readonly otherwise?: string
}

export interface FlowDescription {
  readonly name: string
  readonly summary: string
  readonly needs: Needs
  readonly effect: 'read' | 'write'
  readonly input: readonly InputDescription[]
  readonly returns: Returns['kind']
  /** The entity of the result, or of each on its page. */
  readonly entity?: string
  /** Codes of its errors besides `commonErrors`. */
  readonly errors: readonly FlowError[]
}

/** Words of a page of Markdown, as text. */
const plain = (words: string): string => words.replaceAll('`', '')

function describeInput(name: string, attribute: Attribute): InputDescription {
  const { kind, presence } = attribute
  const values = kind.domain?.values
  const holds = plain(kindWords(kind))
  const otherwise = madeWords(attribute)
  return {
    name,
    kind: kind.name,
    required: presence === 'given',
    ...(values === undefined ? {} : { values }),
    ...(values !== undefined || holds === kind.name ? {} : { holds }),
    ...(otherwise === undefined ? {} : { otherwise: plain(otherwise) }),
  }
}

/** A flow as the command and HTTP show it. */
export function describeFlow({ name, summary, needs, effect, input, returns, errors = [] }: Flow<never>): FlowDescription {
  return {
    name,
    summary,
    needs,
    effect,
    input: Object.entries(input).map(([each, attribute]) => describeInput(each, attribute)),
    returns: returns.kind,
    ...('entity' in returns ? { entity: returns.entity.name } : {}),
    errors,
  }
}
