import type { MiddlewareHandler } from 'hono'
import { problem } from './problem.ts'
import { type Env, respond } from './respond.ts'

/** Refuses what comes while so many requests are under way that more would only wait in memory, each with its body. */
export function bounded(inFlight_max: number): MiddlewareHandler<Env> {
  let inFlight = 0
  return async (c, next) => {
    if (inFlight >= inFlight_max) return respond(c, problem('Busy', 'Too many requests are under way. Try again.'))
    inFlight++
    try {
      return await next()
    } finally {
      inFlight--
    }
  }
}
