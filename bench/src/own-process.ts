import { fork } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'

/** A process of the bench's own, which is asked one thing at a time. It ends when this process does: it is to leave on `disconnect`. */
export interface OwnProcess<A, R> {
  /** The next message: a process may say so when it is ready. */
  reply(): Promise<R>
  ask(message: A): Promise<R>
  /** Undefined once it has ended. */
  pid(): number | undefined
  stop(): Promise<void>
}

/** Starts a script with what it needs to know, as JSON. What it prints goes to where this process prints what went wrong. */
export function startOwn<A extends string | object, R>(script: string, input: object, execArgv: readonly string[] = []): OwnProcess<A, R> {
  const child = fork(script, [JSON.stringify(input)], { execArgv: [...execArgv], stdio: ['ignore', 2, 2, 'ipc'] })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null

  const reply = async (): Promise<R> => {
    if (hasEnded()) throw new Error(`${basename(script)} has ended.`)
    const listening = new AbortController()
    const { signal } = listening
    const ended = once(child, 'exit', { signal }).then(([code, by]) => {
      throw new Error(`${basename(script)} ended (${by ?? code}).`)
    })
    try {
      const [message] = await Promise.race([once(child, 'message', { signal }), ended])
      return message
    } finally {
      ended.catch(() => {})
      listening.abort()
    }
  }

  return {
    reply,
    ask: (message) => {
      const replied = reply()
      if (child.connected) child.send(message)
      return replied
    },
    pid: () => (hasEnded() ? undefined : child.pid),
    stop: async () => {
      if (hasEnded()) return
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

/** What the process that runs this was started with. */
export function inputOf(): unknown {
  const [, , text] = process.argv
  if (text === undefined) throw new Error('This script is started by another of the bench.')
  return JSON.parse(text)
}
