import { FreeholdError, type Item } from '@freehold/table'
import { day_ms, invalidInput } from '@freehold/table/runtime'
import type { AuthToken } from '../../design.ts'

type Token = Item<typeof AuthToken>
type TokenType = NonNullable<Token['token_type']>

/** The longest life of a token of each type, in seconds. */
export type TokenLives = Readonly<Record<TokenType, number>>

const day_s = day_ms / 1000
export const tokenLivesDefault: TokenLives = Object.freeze({ JWT: day_s, refresh: 90 * day_s, api: 365 * day_s })
const lifeDefault_s = 30 * day_s
/** A hundred years. A much later end could not be written as an instant. */
const lifeMax_s = 36_500 * day_s

/**
 * The lives that a deployer sets, and the defaults of the others. Throws `InvalidInput` for an unknown type, and for a life that is not of whole seconds
 * from 1 to a hundred years.
 */
export function tokenLivesOf(set: Partial<TokenLives> = {}): TokenLives {
  for (const [type, life_s] of Object.entries(set))
    if (!Object.hasOwn(tokenLivesDefault, type) || !Number.isSafeInteger(life_s) || life_s <= 0 || life_s > lifeMax_s)
      throw new FreeholdError(
        'InvalidInput',
        `tokenLifeMax_s: ${type}: ${life_s} is no life of JWT, refresh or api in whole seconds, from 1 to ${lifeMax_s}.`,
        { issues: [] },
      )
  return Object.freeze({ ...tokenLivesDefault, ...set })
}

const endOfLife_ms = (from_ms: number, life_s: number) => from_ms + life_s * 1000
const instantAfter = (from: Date, life_s: number) => new Date(endOfLife_ms(from.getTime(), life_s)).toISOString()

/** The end of a new token: as asked, or thirty days from now if its type lives so long. Throws `InvalidInput` for an end beyond its type's life. */
export function endOfToken(flow: string, lives: TokenLives, now: Date, type: TokenType, asked: string | null | undefined): string {
  const life_s = lives[type]
  const latest = instantAfter(now, life_s)
  if (asked === undefined || asked === null) return instantAfter(now, Math.min(life_s, lifeDefault_s))
  if (Date.parse(asked) <= endOfLife_ms(now.getTime(), life_s)) return asked
  const message = `is too late: a token of type ${type} lives for ${life_s} seconds at most, until ${latest}`
  throw invalidInput(flow, [{ path: ['expires_at'], message }], { flow })
}

/** True for a token that is as old as its type may become, even if its stored end is later, and for one that does not tell its age. */
export function hasOutlived({ token_type, issued_at }: Token, lives: TokenLives, now: Date): boolean {
  if (token_type === undefined || issued_at === undefined) return true
  // As numbers: the text of an instant beyond the year 9999 sorts before all others.
  return endOfLife_ms(Date.parse(issued_at), lives[token_type]) <= now.getTime()
}
