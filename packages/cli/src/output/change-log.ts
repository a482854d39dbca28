import { jsonLine, type Shell } from '../shell.ts'

/** The designs of a shell. Flows that log their changes print them to its stderr, as lines of JSON. */
export function loggedDesigns({ designs, err }: Pick<Shell, 'designs' | 'err'>): Shell['designs'] {
  const log = (line: object) => err(jsonLine(line))
  return new Map(
    [...designs].map(([name, module]) => [name, module.flows === undefined ? module : { ...module, flows: module.flows.loggedBy(log) }]),
  )
}
