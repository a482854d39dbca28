import { type Characters, example, intersection } from './characters.ts'
import type { Expression } from './expression.ts'

/**
 * Glushkov's automaton of an expression: a state for each character of the expression, and no empty steps. `first` and `follow` are the
 * states that may come next, `last` those in which a text may end.
 */
export interface Automaton {
  readonly characters: readonly Characters[]
  readonly follow: readonly ReadonlySet<number>[]
  readonly first: ReadonlySet<number>
  readonly last: ReadonlySet<number>
  readonly acceptsEmpty: boolean
}

interface Fragment {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly acceptsEmpty: boolean
}

/** A larger count becomes 'this many or more'. That only adds texts, so nothing false is proven. */
const countMax = 64

const empty: Fragment = { first: [], last: [], acceptsEmpty: true }

class Builder {
  readonly characters: Characters[] = []
  readonly follow: Set<number>[] = []

  build(expression: Expression): Fragment {
    switch (expression.is) {
      case 'one': {
        const state = this.characters.push(expression.of) - 1
        this.follow.push(new Set())
        return { first: [state], last: [state], acceptsEmpty: false }
      }
      case 'sequence':
        return expression.parts.reduce<Fragment>((before, part) => this.#join(before, this.build(part)), empty)
      case 'choice': {
        const parts = expression.parts.map((part) => this.build(part))
        return {
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
          acceptsEmpty: parts.some(({ acceptsEmpty }) => acceptsEmpty),
        }
      }
      case 'some':
        return { ...this.build(expression.part), acceptsEmpty: false }
      case 'repeat':
        return this.#repeat(expression.part, Math.min(expression.min, countMax), expression.max)
    }
  }

  #join(a: Fragment, b: Fragment): Fragment {
    for (const state of a.last) for (const next of b.first) this.follow[state]?.add(next)
    return {
      first: a.acceptsEmpty ? [...a.first, ...b.first] : a.first,
      last: b.acceptsEmpty ? [...a.last, ...b.last] : b.last,
      acceptsEmpty: a.acceptsEmpty && b.acceptsEmpty,
    }
  }

  #repeat(part: Expression, min: number, max: number): Fragment {
    let needed = empty
    for (let count = 0; count < min; count++) needed = this.#join(needed, this.build(part))
    return this.#join(needed, max > countMax ? this.#loop(part) : this.#optional(part, max - min))
  }

  #loop(part: Expression): Fragment {
    const once = this.build(part)
    for (const state of once.last) for (const next of once.first) this.follow[state]?.add(next)
    return { ...once, acceptsEmpty: true }
  }

  /** At most `times` repetitions, nested as (a(a)?)?, which needs few steps between states. */
  #optional(part: Expression, times: number): Fragment {
    let rest = empty
    for (let count = 0; count < times; count++) rest = { ...this.#join(this.build(part), rest), acceptsEmpty: true }
    return rest
  }
}

export function automaton(expression: Expression): Automaton {
  const builder = new Builder()
  const { first, last, acceptsEmpty } = builder.build(expression)
  return { characters: builder.characters, follow: builder.follow, first: new Set(first), last: new Set(last), acceptsEmpty }
}

interface Step {
  readonly states: readonly number[]
  readonly letter: string
  readonly before?: Step | undefined
}

function nextSteps(automata: readonly Automaton[], step: Step | undefined): Step[] {
  let found: { states: number[]; characters: Characters | undefined }[] = [{ states: [], characters: undefined }]
  for (const [index, { characters, first, follow }] of automata.entries()) {
    const state = step?.states[index]
    const next = [...(state === undefined ? first : (follow[state] ?? []))]
    found = found.flatMap((so) =>
      next.flatMap((to) => {
        const own = characters[to] ?? []
        const both = so.characters === undefined ? own : intersection(so.characters, own)
        return both.length === 0 ? [] : [{ states: [...so.states, to], characters: both }]
      }),
    )
  }
  return found.map(({ states, characters }) => ({ states, letter: example(characters ?? []), before: step }))
}

function textOf(step: Step): string {
  let text = ''
  for (let at: Step | undefined = step; at !== undefined; at = at.before) text = at.letter + text
  return text
}

/** A shortest text that all automata accept, or undefined if there is none. The answer is exact: no text is tried out. */
export function sharedText(...automata: readonly Automaton[]): string | undefined {
  if (automata.every(({ acceptsEmpty }) => acceptsEmpty)) return ''
  const seen = new Set<string>()
  let steps = nextSteps(automata, undefined)
  while (steps.length > 0) {
    const fresh = steps.filter(({ states }) => {
      const place = states.join()
      return !seen.has(place) && seen.add(place)
    })
    const end = fresh.find(({ states }) => automata.every(({ last }, index) => last.has(states[index] ?? -1)))
    if (end !== undefined) return textOf(end)
    steps = fresh.flatMap((step) => nextSteps(automata, step))
  }
  return undefined
}
