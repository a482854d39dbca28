import type { MiddlewareHandler } from 'hono'
import { problem } from './problem.ts'
import { type Env, respond } from './respond.ts'

/** Refuses requests while too many others are running: more would only wait in memory, each with its body. */
export function bounded(inFlight_max: number): MiddlewareHandler<Env> {
  let inFlight = 0
  return async (c, next) => {
    if (inFlight >= inFlight_max) return respond(c, problem('Busy', 'Too many requests are running. Try again.'))
    inFlight++
    try {
      return await next()
    } finally {
      inFlight--
    }
  }
}
