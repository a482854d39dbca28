import { FreeholdError, type Item } from '@freehold/table'
import { day_ms, invalidInput } from '@freehold/table/runtime'
import type { AuthToken } from '../../design.ts'

type Token = Item<typeof AuthToken>
type TokenType = Token['token_type']

/** The longest life of a token of each type, in seconds. */
export type TokenLives = Readonly<Record<TokenType, number>>

const day_s = day_ms / 1000
export const tokenLivesDefault: TokenLives = Object.freeze({ JWT: day_s, refresh: 90 * day_s, api: 365 * day_s })
const lifeDefault_s = 30 * day_s

/** The lives that a deployer sets, and the defaults of the others. Throws `InvalidInput` for a type that there is not, or no whole seconds above 0. */
export function tokenLivesOf(set: Partial<TokenLives> = {}): TokenLives {
  for (const [type, life_s] of Object.entries(set))
    if (!Object.hasOwn(tokenLivesDefault, type) || !Number.isSafeInteger(life_s) || life_s <= 0)
      throw new FreeholdError('InvalidInput', `tokenLifeMax_s: ${type}: ${life_s} is no life of JWT, refresh or api in whole seconds.`, {
        issues: [],
      })
  return Object.freeze({ ...tokenLivesDefault, ...set })
}

const instantAfter = (from: Date, life_s: number) => new Date(from.getTime() + life_s * 1000).toISOString()

/** The end of a new token: as asked, or thirty days from now if its type lives so long. Throws `InvalidInput` for an end beyond its type's life. */
export function endOfToken(flow: string, lives: TokenLives, now: Date, type: TokenType, asked: string | null | undefined): string {
  const life_s = lives[type]
  const latest = instantAfter(now, life_s)
  if (asked === undefined || asked === null) return instantAfter(now, Math.min(life_s, lifeDefault_s))
  if (asked <= latest) return asked
  const message = `is too late: a token of type ${type} lives for ${life_s} seconds at most, until ${latest}`
  throw invalidInput(flow, [{ path: ['expires_at'], message }], { flow })
}

/** True for a token that has lived for as long as its type may, also if its stored end is later. */
export function hasOutlived({ token_type, issued_at }: Token, lives: TokenLives, now: Date): boolean {
  return instantAfter(new Date(issued_at), lives[token_type]) <= now.toISOString()
}
